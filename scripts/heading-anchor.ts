/** The anchor of a heading, as GitHub makes it from its words. */
export function headingAnchor(words: string): string {
  return words
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .trim()
    .replaceAll(" ", "-");
}
