/** A stretch of a text that is kept or left out whole: a line with its end, or a part of a long line. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Where long lines begin, in characters. A line of code is worth little in parts; a paragraph can be taken sentence by sentence. */
export const LONG_LINE = { prose: 200, code: 400 } as const;

/** How long the parts of a long line are, about. */
const PART_CHARACTERS = 80;

/** Splits a text into lines, and lines that are longer than `longest` into parts that end where a clause does. Joined, they give the text. */
export function stretchesOf(text: string, longest: number): Stretch[] {
  const stretches: Stretch[] = [];
  for (let from = 0; from < text.length; ) {
    const lineEnd = text.indexOf("\n", from);
    const to = lineEnd === -1 ? text.length : lineEnd + 1;
    if (to - from <= longest) stretches.push({ from, to });
    else addParts(stretches, text, { from, to });
    from = to;
  }
  return stretches;
}

function addParts(stretches: Stretch[], text: string, { from, to }: Stretch): void {
  let at = from;
  while (to - at > 1.5 * PART_CHARACTERS) {
    const end = endOfPart(text, at);
    stretches.push({ from: at, to: end });
    at = end;
  }
  stretches.push({ from: at, to });
}

/** The strongest first. */
const CLAUSE_ENDS = [". ", "; ", "}, ", "], ", ", ", " "] as const;

/** Where the part that begins at a position ends: with a clause, if one ends near; else in the middle of a word. */
function endOfPart(text: string, at: number): number {
  const earliest = at + PART_CHARACTERS / 2;
  const window = text.slice(earliest, at + PART_CHARACTERS);
  for (const end of CLAUSE_ENDS) {
    const found = window.lastIndexOf(end);
    if (found !== -1) return earliest + found + end.length;
  }
  const cut = at + PART_CHARACTERS;
  return isLowSurrogate(text, cut) ? cut + 1 : cut;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}
