/** Longer than any model's name or session's id; a client may send anything. */
const MAX_NAME_CHARS = 200;

/** A name that a client made up, as it may be kept: of a bounded length, and without characters that some database refuses. */
export function cleanName(name: string): string {
  return name.slice(0, MAX_NAME_CHARS).replace(/[\p{Cc}\p{Cs}]/gu, "\uFFFD");
}
