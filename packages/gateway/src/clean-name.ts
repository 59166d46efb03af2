/** Longer than any model's name or session's id; a client may send anything. */
const MAX_NAME_CHARS = 200;

/** Nearly every name is printable ASCII. */
const PLAIN = /^[\x20-\x7e]*$/;

/** A name that a client made up, as it may be kept: of a bounded length, and without characters that some database refuses. */
export function cleanName(name: string): string {
  if (name.length <= MAX_NAME_CHARS && PLAIN.test(name)) return name;
  return name.slice(0, MAX_NAME_CHARS).replace(/[\p{Cc}\p{Cs}]/gu, "\uFFFD");
}
