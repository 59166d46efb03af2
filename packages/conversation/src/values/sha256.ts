import { MAX_UTF8_BYTES, utf8Writer } from "./utf8.ts";

/** Returns the SHA-256 of a text in hexadecimal digits. A host's own function is faster. */
export function sha256(text: string): string {
  const message = padded(text);
  const state = Int32Array.from(INITIAL);
  const schedule = new Int32Array(ROUNDS);
  for (let block = 0; block < message.byteLength; block += BLOCK_BYTES) compress(state, message, { block, schedule });
  return [...state].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

const ROUNDS = 64;
const BLOCK_BYTES = 64;
const LENGTH_BYTES = 8;
const TWO_TO_32 = 0x100000000;

let write: ReturnType<typeof utf8Writer> | undefined;

/** Returns the text as UTF-8, followed by a one, zeros and its length in bits. */
function padded(text: string): DataView {
  write ??= utf8Writer();
  const bytes = new Uint8Array(text.length * MAX_UTF8_BYTES + BLOCK_BYTES + LENGTH_BYTES);
  const end = write(text, bytes);
  bytes[end] = 0x80;
  const size = Math.ceil((end + 1 + LENGTH_BYTES) / BLOCK_BYTES) * BLOCK_BYTES;
  const view = new DataView(bytes.buffer, 0, size);
  view.setUint32(size - LENGTH_BYTES, Math.floor((end * 8) / TWO_TO_32));
  view.setUint32(size - LENGTH_BYTES / 2, (end * 8) >>> 0);
  return view;
}

/** Mixes one block into the state (FIPS 180-4, section 6.2.2). */
function compress(
  state: Int32Array,
  message: DataView,
  { block, schedule: w }: { readonly block: number; readonly schedule: Int32Array },
): void {
  for (let t = 0; t < ROUNDS; t++) w[t] = t < 16 ? message.getInt32(block + 4 * t) : scheduled(w, t);
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let t = 0; t < ROUNDS; t++) {
    const high = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + high + ((e & f) ^ (~e & g)) + (K[t] ?? 0) + (w[t] ?? 0)) | 0;
    const low = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const second = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) state[at] = (state[at] ?? 0) + word;
}

function scheduled(w: Int32Array, t: number): number {
  const early = w[t - 15] ?? 0;
  const late = w[t - 2] ?? 0;
  const first = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
  const second = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
  return ((w[t - 16] ?? 0) + first + (w[t - 7] ?? 0) + second) | 0;
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

const PRIMES = primes(ROUNDS);
/** The first 32 bits of the fractional parts of the square roots of the first 8 primes, and of the cube roots of the first 64. */
const INITIAL = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const K = PRIMES.map((prime) => fraction(Math.cbrt(prime)));

function fraction(root: number): number {
  return ((root % 1) * TWO_TO_32) | 0;
}

function primes(count: number): number[] {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate++) {
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  }
  return found;
}
