/** A stretch of a text whose lines are compared with those of other passages. */
export interface Passage {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** Only lines of the same group are compared. */
  readonly group: string;
}

/**
 * The lines of many passages in columns: a few numbers for each line and no strings, so that a long conversation stays cheap. Behind the
 * lines of each passage stands one row that is no line, so that a neighbour in the columns is a neighbour in the text.
 */
export interface Lines {
  readonly passages: readonly Passage[];
  /** The row of each passage's first line; one more entry for where a next passage would begin. */
  readonly firstRow: Int32Array;
  /** The passage of each row. */
  readonly passage: Int32Array;
  /** Where each line begins and ends in its text. */
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** Hash of what the line says, without line number, indentation and carriage return; 0 where that is too little to look for. */
  readonly saying: Int32Array;
  /** Hash of the line as it is. */
  readonly whole: Int32Array;
}

/** A line that says less than this many characters is never looked for, only met on the way. */
const MIN_SAYING = 6;

/** Reads the lines of passages. A passage's ends count as line ends. */
export function readLines(passages: readonly Passage[]): Lines {
  const firstRow = new Int32Array(passages.length + 1);
  for (const [index, passage] of passages.entries()) {
    firstRow[index + 1] = (firstRow[index] ?? 0) + countLines(passage) + 1;
  }
  const rows = firstRow[passages.length] ?? 0;
  const column = () => new Int32Array(rows);
  const lines: Lines = {
    passages,
    firstRow,
    passage: column(),
    start: column(),
    end: column(),
    saying: column(),
    whole: column(),
  };
  for (const index of passages.keys()) readPassage(lines, index);
  return lines;
}

function countLines({ text, from, to }: Passage): number {
  let count = 1;
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

function readPassage(lines: Lines, index: number): void {
  const passage = lines.passages[index];
  if (passage === undefined) return;
  const { text, from, to } = passage;
  const seed = hashOf(passage.group, { from: 0, to: passage.group.length }, OFFSET_BASIS);
  let row = lines.firstRow[index] ?? 0;
  for (let start = from; start <= to; row++) {
    const lineBreak = text.indexOf("\n", start);
    const end = lineBreak === -1 || lineBreak > to ? to : lineBreak;
    lines.passage[row] = index;
    lines.start[row] = start;
    lines.end[row] = end;
    readLine(lines, row, { text, seed });
    start = end + 1;
  }
  lines.passage[row] = index;
}

function readLine(lines: Lines, row: number, { text, seed }: { text: string; seed: number }): void {
  const start = lines.start[row] ?? 0;
  const end = lines.end[row] ?? 0;
  const from = sayingStart(text, start, end);
  const to = end > from && text.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end;
  const saying = hashOf(text, { from, to }, seed);
  lines.saying[row] = to - from < MIN_SAYING ? 0 : saying;
  lines.whole[row] = hashOf(text, { from: start, to: from }, Math.imul(saying, PRIME) ^ (end - to));
}

const SPACE = 32;
const TAB = 9;
const CARRIAGE_RETURN = 13;
const ZERO = 48;
const NINE = 57;
const MAX_DIGITS = 7;
const SEPARATORS: ReadonlySet<number> = new Set([..."|:→"].map((sign) => sign.charCodeAt(0)));

/** Where a line's own words begin: behind its number, if it has one, and its indentation. */
export function sayingStart(text: string, from: number, to: number): number {
  const number = skipBlanks(text, from, to);
  let at = number;
  while (at < to && at - number <= MAX_DIGITS && isDigit(text.charCodeAt(at))) at++;
  const isNumber = at > number && at - number <= MAX_DIGITS;
  const behind = isNumber ? skipSeparator(text, at, to) : at;
  return behind === at ? number : skipBlanks(text, behind, to);
}

function skipBlanks(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && isBlank(text.charCodeAt(at))) at++;
  return at;
}

function skipSeparator(text: string, from: number, to: number): number {
  if (from < to && text.charCodeAt(from) === TAB) return from + 1;
  const at = from < to && text.charCodeAt(from) === SPACE ? from + 1 : from;
  return at < to && SEPARATORS.has(text.charCodeAt(at)) ? at + 1 : from;
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

// FNV-1a over UTF-16 code units: quick, and good enough where every match is compared letter by letter before it counts.
const OFFSET_BASIS = 0x811c9dc5 | 0;
const PRIME = 0x01000193;

function hashOf(text: string, { from, to }: { from: number; to: number }, seed: number): number {
  let hash = seed;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
  return hash;
}
