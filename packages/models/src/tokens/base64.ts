const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const SKIPPED = 0xff;
const VALUES = new Uint8Array(0x80).fill(SKIPPED);
for (let value = 0; value < ALPHABET.length; value++) VALUES[ALPHABET.charCodeAt(value)] = value;

/** Decodes at most `maxBytes` of base64. Padding and characters outside the alphabet are skipped. */
export function decodeBase64(text: string, maxBytes = Number.POSITIVE_INFINITY): Uint8Array {
  const sink = { bytes: new Uint8Array(Math.min(maxBytes, Math.ceil((text.length * 3) / 4))), end: 0 };
  appendBase64(text, sink);
  return sink.bytes.subarray(0, sink.end);
}

/** Decodes base64 into a buffer until it is full; the next byte goes to `end`. */
export function appendBase64(text: string, sink: { readonly bytes: Uint8Array; end: number }): void {
  const room = sink.bytes.length;
  let bits = 0;
  let held = 0;
  for (let at = 0; at < text.length && sink.end < room; at++) {
    const value = VALUES[text.charCodeAt(at)] ?? SKIPPED;
    if (value === SKIPPED) continue;
    held = ((held & 0xff) << 6) | value;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    sink.bytes[sink.end++] = held >> bits;
  }
}
