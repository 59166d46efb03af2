/** A stretch of a text whose lines are compared with those of other passages. */
export interface Passage {
  readonly from: number;
  readonly to: number;
  /** Only lines of the same group are compared. */
  readonly group: string;
}

/** A line that says less than this many characters is never looked for, only met on the way. */
const MIN_SAYING = 6;

/**
 * The lines of many passages in columns: a few numbers for each line and no strings, so that a long conversation stays cheap. Behind the
 * lines of each passage stands one row that is no line, so that a neighbour in the columns is a neighbour in the text.
 */
export class Lines {
  /** The row of each passage's first line; one more entry for where a next passage would begin. */
  readonly firstRow: number[] = [0];
  /** The passage of each row. */
  passage: Int32Array = new Int32Array(0);
  /** Where each line begins and ends in its text. */
  start: Int32Array = new Int32Array(0);
  end: Int32Array = new Int32Array(0);
  /** Hash of what the line says, without line number, indentation and carriage return; 0 where that is too little to look for. */
  saying: Int32Array = new Int32Array(0);
  /** Hash of the line as it is. */
  whole: Int32Array = new Int32Array(0);
  /** The text that a passage is a stretch of. */
  readonly textOf: (passage: number) => string;

  constructor(textOf: (passage: number) => string) {
    this.textOf = textOf;
  }

  /** How many passages there are. */
  get passages(): number {
    return this.firstRow.length - 1;
  }

  /** How many rows there are. */
  get rows(): number {
    return this.firstRow.at(-1) ?? 0;
  }

  /** Reads the lines of one more passage, whose ends count as line ends. */
  add({ from, to, group }: Passage): void {
    const index = this.passages;
    const text = this.textOf(index);
    const seed = hashOf(group, { from: 0, to: group.length }, OFFSET_BASIS);
    let row = this.rows;
    this.#makeRoom(row + countLines(text, from, to) + 1);
    for (let start = from; start <= to; row++) {
      const lineBreak = text.indexOf("\n", start);
      const end = lineBreak === -1 || lineBreak > to ? to : lineBreak;
      this.passage[row] = index;
      this.start[row] = start;
      this.end[row] = end;
      this.#readLine(row, text, seed);
      start = end + 1;
    }
    this.#closePassage(row, index);
  }

  /** Forgets all passages but the first so many. */
  cut(passages: number): void {
    this.firstRow.length = passages + 1;
  }

  #readLine(row: number, text: string, seed: number): void {
    const start = this.start[row] ?? 0;
    const end = this.end[row] ?? 0;
    const from = sayingStart(text, start, end);
    const to = end > from && text.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end;
    const saying = hashOf(text, { from, to }, seed);
    this.saying[row] = to - from < MIN_SAYING ? 0 : saying;
    this.whole[row] = hashOf(text, { from: start, to: from }, Math.imul(saying, PRIME) ^ (end - to));
  }

  #closePassage(row: number, index: number): void {
    this.passage[row] = index;
    this.start[row] = 0;
    this.end[row] = 0;
    this.saying[row] = 0;
    this.whole[row] = 0;
    this.firstRow.push(row + 1);
  }

  #makeRoom(rows: number): void {
    if (rows <= this.start.length) return;
    this.passage = grown(this.passage, rows);
    this.start = grown(this.start, rows);
    this.end = grown(this.end, rows);
    this.saying = grown(this.saying, rows);
    this.whole = grown(this.whole, rows);
  }
}

/** A column with the same numbers and room for so many and more; what is new in it is `fill`. */
export function grown(column: Int32Array, rows: number, fill = 0): Int32Array {
  const longer = new Int32Array(Math.max(rows, 2 * column.length));
  longer.set(column);
  return fill === 0 ? longer : longer.fill(fill, column.length);
}

function countLines(text: string, from: number, to: number): number {
  let count = 1;
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) count++;
  return count;
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
