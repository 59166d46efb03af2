import { appendBase64 } from "../base64.ts";

/** The rank of bytes that are not a token: above every rank, so that a search for the lowest skips it. */
export const NO_RANK = 0x7fffffff;

/** Odd, with its bits well spread, so that hashes of similar tokens are far apart. */
const HASH_FACTOR = 0x2c9277b5;
const HASH_BITS = 32;
const RANK_BITS = 18;
const RANK_MASK = (1 << RANK_BITS) - 1;
/** With half of the slots free, a lookup takes two steps. */
const SLOTS_PER_TOKEN = 2;

/** An encoding's tokens by their bytes. A token's rank is its position in the merge order. */
export class Vocabulary {
  readonly #bytes: Uint8Array;
  readonly #starts: Uint32Array;
  /** By two bytes, the most frequent lookup. */
  readonly #pairRanks = new Int32Array(1 << 16).fill(NO_RANK);
  /** Open addressing. A slot holds a token's rank plus one and, in the higher bits, part of its hash; 0 is a free slot. */
  readonly #slots: Int32Array;
  readonly #slotBits: number;
  readonly #longest: number;

  /** Token `rank` is `bytes` from `starts[rank]` up to `starts[rank + 1]`. At most 2^18 - 1 tokens. */
  constructor(bytes: Uint8Array, starts: Uint32Array) {
    const tokens = starts.length - 1;
    this.#bytes = bytes;
    this.#starts = starts;
    this.#slotBits = Math.ceil(Math.log2(tokens * SLOTS_PER_TOKEN));
    this.#slots = new Int32Array(1 << this.#slotBits);
    let longest = 0;
    for (let rank = 0; rank < tokens; rank++) longest = Math.max(longest, this.#add(rank));
    this.#longest = longest;
  }

  /** Returns the rank of the token in `bytes` from `from` up to `to`, or `NO_RANK`. */
  rank(bytes: Uint8Array, from: number, to: number): number {
    const length = to - from;
    if (length === 2) return this.pairRank(bytes, from);
    if (length > this.#longest) return NO_RANK;
    const hash = hashBytes(bytes, from, to);
    for (let slot = this.#firstSlot(hash); ; slot = this.#slotAfter(slot)) {
      const entry = this.#slots[slot] ?? 0;
      if (entry === 0) return NO_RANK;
      const rank = (entry & RANK_MASK) - 1;
      if (entry === slotEntry(hash, rank) && this.#lengthOf(rank) === length && this.#isAt(rank, bytes, from))
        return rank;
    }
  }

  /** Returns the rank of the two-byte token at `from`, or `NO_RANK`. */
  pairRank(bytes: Uint8Array, from: number): number {
    return this.#pairRanks[pairAt(bytes, from)] ?? NO_RANK;
  }

  #add(rank: number): number {
    const from = this.#starts[rank] ?? 0;
    const length = this.#lengthOf(rank);
    if (length === 2) this.#pairRanks[pairAt(this.#bytes, from)] = rank;
    const hash = hashBytes(this.#bytes, from, from + length);
    let slot = this.#firstSlot(hash);
    while (this.#slots[slot] !== 0) slot = this.#slotAfter(slot);
    this.#slots[slot] = slotEntry(hash, rank);
    return length;
  }

  #firstSlot(hash: number): number {
    return hash >>> (HASH_BITS - this.#slotBits);
  }

  #slotAfter(slot: number): number {
    return (slot + 1) & (this.#slots.length - 1);
  }

  #lengthOf(rank: number): number {
    return (this.#starts[rank + 1] ?? 0) - (this.#starts[rank] ?? 0);
  }

  #isAt(rank: number, bytes: Uint8Array, from: number): boolean {
    const end = this.#starts[rank + 1] ?? 0;
    let at = from;
    for (let own = this.#starts[rank] ?? 0; own < end; own++, at++) {
      if (this.#bytes[own] !== bytes[at]) return false;
    }
    return true;
  }
}

/** Hashes bytes to 32 bits, depending on their order. */
export function hashBytes(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0;
  for (let at = from; at < to; at++) hash = Math.imul(hash + (bytes[at] ?? 0) + 1, HASH_FACTOR);
  return hash;
}

function slotEntry(hash: number, rank: number): number {
  return (hash << RANK_BITS) | (rank + 1);
}

function pairAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}

/**
 * Parses base64 tokens in the order of their ranks, in the format of tiktoken's npm package: `! 0 IQ== Ig== Iw==`, where 0 is the first
 * rank.
 */
export function parseVocabulary(ranks: string): Vocabulary {
  const tokens = ranks.split(" ").slice(2);
  const starts = new Uint32Array(tokens.length + 1);
  const sink = { bytes: new Uint8Array(ranks.length), end: 0 };
  for (const [rank, token] of tokens.entries()) {
    appendBase64(token, sink);
    starts[rank + 1] = sink.end;
  }
  return new Vocabulary(sink.bytes.slice(0, sink.end), starts);
}
