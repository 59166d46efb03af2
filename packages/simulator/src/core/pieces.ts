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
