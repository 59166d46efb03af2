/** Every host of JavaScript has it, but the language does not. It is two to three times as fast as the loop below. */
declare const TextEncoder: (new () => Encoder) | undefined;

interface Encoder {
  encodeInto(source: string, target: Uint8Array): { readonly written: number };
}

const REPLACEMENT = 0xfffd;

/** The most bytes that one unit of a string takes. */
export const MAX_UTF8_BYTES = 3;

/** Returns a function that writes a text to bytes as UTF-8 and returns their number. A lone surrogate becomes U+FFFD. */
export function utf8Writer(): (text: string, bytes: Uint8Array) => number {
  if (typeof TextEncoder === "undefined") return writeUtf8;
  const encoder = new TextEncoder();
  return (text, bytes) => encoder.encodeInto(text, bytes).written;
}

/** Writes a text to bytes as UTF-8 and returns their number, on any host. */
export function writeUtf8(text: string, bytes: Uint8Array): number {
  let end = 0;
  for (const character of text) {
    const read = character.codePointAt(0) ?? REPLACEMENT;
    const code = read >= 0xd800 && read <= 0xdfff ? REPLACEMENT : read;
    if (code < 0x80) {
      bytes[end++] = code;
      continue;
    }
    const following = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    bytes[end++] = (LEADS[following] ?? 0) | (code >> (6 * following));
    for (let left = following - 1; left >= 0; left--) bytes[end++] = 0x80 | ((code >> (6 * left)) & 0x3f);
  }
  return end;
}

/** The first byte of a character, by the number of bytes that follow it. */
const LEADS = [0, 0xc0, 0xe0, 0xf0];
