import { hash } from "node:crypto";

/** A short hash of texts; where one ends and the next begins matters. */
export function digest(...texts: readonly string[]): string {
  // Nobody attacks it, so the quickest hash will do: it is taken of every block of every request.
  return hash("sha1", texts.map((text) => `${text.length}:${text}`).join(""), "base64url");
}

/** The hash of each beginning of a list: the first text, the first two, and so on. `seed` stands before them all. */
export function prefixHashes(seed: string, texts: readonly string[]): string[] {
  let last = seed;
  return texts.map((text) => {
    last = digest(last, text);
    return last;
  });
}

const ID_CHARS = 24;

/** An id that only depends on what it is made from: letters and digits, as the vendors' ids look. */
export function idFrom(prefix: string, ...texts: readonly string[]): string {
  return `${prefix}${hash("sha256", texts.join("\n"), "hex").slice(0, ID_CHARS)}`;
}

/** Cuts a text into the pieces of a stream. Never inside a surrogate pair; an empty text has none. */
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
