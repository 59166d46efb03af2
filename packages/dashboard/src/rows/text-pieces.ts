/** Browsers lay out a paragraph as a whole: one of megabytes holds the page up for seconds. */
const PIECE_CHARS = 4_000;

/** A text in pieces that can be laid out one by one: of whole lines where lines are not too long. Together they are the text. */
export function textPieces(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    const to = endOf(text, from);
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

function endOf(text: string, from: number): number {
  const limit = from + PIECE_CHARS;
  if (limit >= text.length) return text.length;
  const line = text.lastIndexOf("\n", limit - 1);
  if (line >= from) return line + 1;
  // Half of a character is none.
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1));
  return isHalf ? limit - 1 : limit;
}
