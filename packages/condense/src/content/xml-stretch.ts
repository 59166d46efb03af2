/** Characters `from` up to `to` of a text. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** The stretch without the blanks and line ends around it; nothing where nothing is left. */
export function trimmed(text: string, { from, to }: Stretch): Stretch | undefined {
  const start = skipBlanks(text, from);
  let end = to;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return end > start ? { from: start, to: end } : undefined;
}

/** The first position at or after this one that holds no blank. */
export function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text.charCodeAt(at))) at++;
  return at;
}

/** The last position before this one that holds no blank, or -1. */
export function lastInk(text: string, before: number): number {
  let at = before - 1;
  while (at >= 0 && isBlank(text.charCodeAt(at))) at--;
  return at;
}

const SPACE = 0x20;
const TAB = 0x09;
const CARRIAGE_RETURN = 0x0d;

/** Tab, line feed, carriage return and their kin, and the space. */
function isBlank(code: number): boolean {
  return code === SPACE || (code >= TAB && code <= CARRIAGE_RETURN);
}
