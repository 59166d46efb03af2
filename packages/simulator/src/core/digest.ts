import { hash } from "node:crypto";

/** A short hash of texts; where one ends and the next begins matters. */
export function digest(...texts: readonly string[]): string {
  // Nobody attacks it, so the quickest hash will do: it is taken of every block of every request.
  return hash("sha1", texts.map((text) => `${text.length}:${text}`).join(""), "base64url");
}

/** The hash of each beginning of a list: the first text, the first two, and so on. `seed` stands before them all. */
export function chain(seed: string, texts: readonly string[]): string[] {
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
