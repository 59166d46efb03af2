import { LonghaulError } from "@longhaul/conversation";
import { readLineNumber } from "./line-format.ts";
import type { Lines } from "./lines.ts";
import { consolidatedMark, type LineRange, type Pointer, referenceMark, repeatedReadMark } from "./mark.ts";
import type { MarkBook, MarkedText } from "./mark-book.ts";
import { type Run, textOf } from "./search.ts";
import type { Unit } from "./units.ts";

/** Units and their lines; a passage and its unit have the same index. */
export interface Table {
  readonly units: readonly Unit[];
  readonly lines: Lines;
  readonly book: MarkBook;
}

/** Returns the unit of a row. */
export function unitAt({ units, lines }: Table, row: number): Unit {
  const unit = units[lines.passage[row] ?? -1];
  if (unit === undefined) throw new LonghaulError("internal.bug", `row ${row} belongs to no text`);
  return unit;
}

/** Whether a run is a whole content, whatever it repeats. */
export function isWholeHere(table: Table, { from, to }: Run): boolean {
  return coversUnit(table, from, to);
}

/** Whether a run is a whole content that repeats a whole content. */
export function isWholeRun(table: Table, { from, to, target }: Run): boolean {
  return coversUnit(table, from, to) && coversUnit(table, target, target + to - from);
}

function coversUnit(table: Table, from: number, to: number): boolean {
  const { firstRow, passage } = table.lines;
  const index = passage[from] ?? 0;
  const isAll = firstRow[index] === from && (firstRow[index + 1] ?? 0) - 1 === to;
  return isAll && unitAt(table, from).isWhole;
}

/** Counts how often an operation returned a unit's result. */
export type TimesReturned = (unit: Unit) => number;

/** Returns the mark for a run, or undefined if every mark for it is taken. Without `timesReturned`, results are not consolidated. */
export function markFor(table: Table, run: Run, timesReturned?: TimesReturned): string | undefined {
  const { subject } = unitAt(table, run.target);
  const pointer = numbersOf(table, run);
  const forms = [(name: string) => referenceMark({ ...pointer, name })];
  if (subject.isRead && isWholeRun(table, run)) forms.unshift(repeatedReadMark);
  else if (timesReturned !== undefined && isSameResult(table, run)) {
    const times = timesReturned(unitAt(table, run.from));
    forms.unshift((name) => consolidatedMark(times, name));
  }
  return table.book.choose(subject.name, targetOf(table, run), forms);
}

/** Returns the text that a run repeats, in raw coordinates. */
export function targetOf(table: Table, { from, to, target }: Run): MarkedText {
  const { start, end } = table.lines;
  return { target: unitAt(table, target).rawAt, from: start[target] ?? 0, to: end[target + to - from - 1] ?? 0 };
}

/** Whether a run is a whole result that the same operation returned before, character for character. */
export function isSameResult(table: Table, run: Run): boolean {
  if (run.dressing !== undefined || run.targetDressing !== undefined || !isWholeRun(table, run)) return false;
  const { operation } = unitAt(table, run.from).subject;
  return operation !== undefined && operation === unitAt(table, run.target).subject.operation;
}

function numbersOf(table: Table, run: Run): Pick<Pointer, "lines" | "here"> {
  const length = run.to - run.from;
  const lines = printedLines(table, run.target, run.target + length) ?? countedLines(table, run.target, length);
  const here = printedLines(table, run.from, run.to);
  return here === undefined || here.first === lines.first ? { lines } : { lines, here };
}

/** Returns the line numbers that a tool printed, if it numbered every line. */
function printedLines({ lines }: Table, from: number, to: number): LineRange | undefined {
  const first = readLineNumber(textOf(lines, from, from + 1))?.value;
  const last = readLineNumber(textOf(lines, to - 1, to))?.value;
  if (first === undefined || last !== first + to - from - 1) return undefined;
  return { first, last };
}

/** Returns the line numbers, counted from the start of the raw text. */
function countedLines(table: Table, row: number, length: number): LineRange {
  const { firstLine } = unitAt(table, row);
  const first = firstLine + row - (table.lines.firstRow[table.lines.passage[row] ?? 0] ?? 0);
  return { first, last: first + length - 1 };
}
