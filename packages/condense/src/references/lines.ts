/** A span of a text whose lines are compared with those of other passages. */
export interface Passage {
  readonly from: number;
  readonly to: number;
  /** Only lines of the same group are compared. */
  readonly group: string;
}

/** Lines with less content are never searched for, but may be part of a run. */
const MIN_CONTENT_CHARS = 6;

/**
 * The lines of many passages as columns: a few numbers per line and no strings, which keeps long conversations cheap. After the lines of
 * each passage follows an empty row, so that adjacent rows are adjacent lines of a text.
 */
export class Lines {
  /** First row of each passage, and the row where a next passage would start. */
  readonly firstRow: number[] = [0];
  /** Passage of each row. */
  passage: Int32Array = new Int32Array(0);
  /** Start and end of each line in its text. */
  start: Int32Array = new Int32Array(0);
  end: Int32Array = new Int32Array(0);
  /** Hash of the line without line number, indentation and carriage return; 0 if that is too short to search for. */
  contentHash: Int32Array = new Int32Array(0);
  /** Hash of the whole line. */
  lineHash: Int32Array = new Int32Array(0);
  /** Returns the text that contains a passage. */
  readonly textOf: (passage: number) => string;

  constructor(textOf: (passage: number) => string) {
    this.textOf = textOf;
  }

  get passages(): number {
    return this.firstRow.length - 1;
  }

  get rows(): number {
    return this.firstRow.at(-1) ?? 0;
  }

  /** Adds the lines of a passage, whose ends count as line ends. */
  add({ from, to, group }: Passage): void {
    const index = this.passages;
    const text = this.textOf(index);
    const seed = hashOf(group, { from: 0, to: group.length }, OFFSET_BASIS);
    const lineBreak = lineBreakOf(text);
    let row = this.rows;
    this.#makeRoom(row + countLines(text, from, to) + 1);
    for (let start = from; start <= to; row++) {
      const next = nextBreak(text, lineBreak, start);
      const end = next === -1 || next > to ? to : next;
      this.passage[row] = index;
      this.start[row] = start;
      this.end[row] = end;
      this.#readLine(row, text, seed);
      start = end + lineBreak.length;
    }
    this.#closePassage(row, index);
  }

  /** Keeps only the first `passages` passages. */
  truncate(passages: number): void {
    this.firstRow.length = passages + 1;
  }

  #readLine(row: number, text: string, seed: number): void {
    const start = this.start[row] ?? 0;
    const end = this.end[row] ?? 0;
    const from = contentStart(text, start, end);
    const to = end > from && text.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end;
    const contentHash = hashOf(text, { from, to }, seed);
    this.contentHash[row] = to - from < MIN_CONTENT_CHARS ? 0 : contentHash;
    this.lineHash[row] = hashOf(text, { from: start, to: from }, Math.imul(contentHash, PRIME) ^ (end - to));
  }

  #closePassage(row: number, index: number): void {
    this.passage[row] = index;
    this.start[row] = 0;
    this.end[row] = 0;
    this.contentHash[row] = 0;
    this.lineHash[row] = 0;
    this.firstRow.push(row + 1);
  }

  #makeRoom(rows: number): void {
    if (rows <= this.start.length) return;
    this.passage = growColumn(this.passage, rows);
    this.start = growColumn(this.start, rows);
    this.end = growColumn(this.end, rows);
    this.contentHash = growColumn(this.contentHash, rows);
    this.lineHash = growColumn(this.lineHash, rows);
  }
}

/** Returns a copy of a column with at least `rows` rows; new ones contain `fill`. */
export function growColumn(column: Int32Array, rows: number, fill = 0): Int32Array {
  const longer = new Int32Array(Math.max(rows, 2 * column.length));
  longer.set(column);
  return fill === 0 ? longer : longer.fill(fill, column.length);
}

function countLines(text: string, from: number, to: number): number {
  const lineBreak = lineBreakOf(text);
  let count = 1;
  for (let at = nextBreak(text, lineBreak, from); at !== -1 && at < to; at = nextBreak(text, lineBreak, at + 1))
    count++;
  return count;
}

const ESCAPED_BREAK = "\\n";

/** Returns what separates the lines of a text: a line break or, in JSON on a single line, its escape sequence. */
export function lineBreakOf(text: string): string {
  return (text.startsWith("{") || text.startsWith("[")) && !text.includes("\n") ? ESCAPED_BREAK : "\n";
}

const JSON_CHARACTERS = /^(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*$/u;

/** Returns a span of a text as its reader sees it: lines inside a JSON string without their escape sequences. */
export function plainLines(text: string, { from, to }: { readonly from: number; readonly to: number }): string {
  const lines = text.slice(from, to);
  return lineBreakOf(text) === ESCAPED_BREAK && JSON_CHARACTERS.test(lines) ? String(JSON.parse(`"${lines}"`)) : lines;
}

/** Returns the position of the next line break, or -1. An `n` after an escaped backslash does not count. */
export function nextBreak(text: string, lineBreak: string, from: number): number {
  let at = text.indexOf(lineBreak, from);
  while (lineBreak === ESCAPED_BREAK && at > 0 && text[at - 1] === "\\") at = text.indexOf(lineBreak, at + 1);
  return at;
}

const SPACE = 32;
const TAB = 9;
const CARRIAGE_RETURN = 13;
const ZERO = 48;
const NINE = 57;
const MAX_DIGITS = 7;
const SEPARATORS: ReadonlySet<number> = new Set([..."|:→"].map((sign) => sign.charCodeAt(0)));

/** Returns where a line's content starts: after its number, if it has one, and its indentation. */
export function contentStart(text: string, from: number, to: number): number {
  const number = skipBlanks(text, from, to);
  let at = number;
  while (at < to && at - number <= MAX_DIGITS && isDigit(text.charCodeAt(at))) at++;
  const isNumber = at > number && at - number <= MAX_DIGITS;
  const afterNumber = isNumber ? skipSeparator(text, at, to) : at;
  return afterNumber === at ? number : skipBlanks(text, afterNumber, to);
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

// FNV-1a over UTF-16 code units: fast, and good enough because every match is verified character by character.
const OFFSET_BASIS = 0x811c9dc5 | 0;
const PRIME = 0x01000193;

function hashOf(text: string, { from, to }: { from: number; to: number }, seed: number): number {
  let hash = seed;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
  return hash;
}
