import { hash } from "node:crypto";

export function digest(...texts: readonly string[]): string {
  // Not security-relevant, so the fastest hash will do: it runs for every block of every request.
  return hash("sha1", texts.map((text) => `${text.length}:${text}`).join(""), "base64url");
}

/** Returns the hash of every prefix of a list, starting from `seed`. */
export function prefixHashes(seed: string, texts: readonly string[]): string[] {
  let last = seed;
  return texts.map((text) => {
    last = digest(last, text);
    return last;
  });
}

const ID_CHARS = 24;

/** A deterministic id of letters and digits, like the vendors' ids. */
export function idFrom(prefix: string, ...texts: readonly string[]): string {
  return `${prefix}${hash("sha256", texts.join("\n"), "hex").slice(0, ID_CHARS)}`;
}

/** Splits a text into the deltas of a stream, never inside a surrogate pair. An empty text has none. */
export function piecesOf(text: string, chars: number): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = from + Math.max(1, chars);
    const last = text.charCodeAt(end - 1);
    const isHalf = last >= 0xd800 && last < 0xdc00 && end < text.length;
    pieces.push(text.slice(from, isHalf ? end + 1 : end));
    from = isHalf ? end + 1 : end;
  }
  return pieces;
}
