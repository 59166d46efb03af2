import { createHash } from "node:crypto";

/** A short hash of texts; where one ends and the next begins matters. */
export function digest(...texts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(`${text.length}:`).update(text);
  return hash.digest("base64url").slice(0, DIGEST_CHARS);
}

const DIGEST_CHARS = 22;

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
  const hash = createHash("sha256").update(texts.join("\n")).digest("hex");
  return `${prefix}${hash.slice(0, ID_CHARS)}`;
}
