import type { TokenCounter } from "@longhaul/models";
import type { Content } from "../content/content.ts";
import type { View } from "../contract/view.ts";
import type { KeptPiece } from "../edits/change.ts";
import type { Edit, Reason, Reference, Splice } from "../edits/edit.ts";
import { NO_POSITION, positionKey } from "../edits/text-position.ts";
import { Lines } from "./lines.ts";
import { MarkBook } from "./mark-book.ts";
import {
  isSameResult,
  isWholeHere,
  isWholeRun,
  markFor,
  type Table,
  type TimesReturned,
  targetOf,
  unitAt,
} from "./pointers.ts";
import { type Run, Search, textOf } from "./search.ts";
import { operationKey, ResultCounter, subjectOf } from "./subject.ts";
import { type FoundUnit, type Unit, unitsOf } from "./units.ts";

/** Content that references may replace, and content that they may point to. */
interface ReferenceRules extends Pick<RunRules, "isSource" | "needsWhole"> {
  /** Lines are compared only within a group; a content without one is ignored. */
  groupOf(content: Content): string | undefined;
  /** Set if a whole result that the same operation returned before is marked as consolidated. */
  readonly consolidates?: boolean;
  readonly reason: Reason;
}

/**
 * Plans references for lines that also occur earlier in text that is sent unchanged. The result for a content depends only on earlier
 * contents, so a growing conversation keeps its references.
 */
export function planReferences(view: View, rules: ReferenceRules): SpliceEdit[] {
  const { groupOf, reason, consolidates = false, ...runRules } = rules;
  const { origin, counter } = view;
  const book = new MarkBook();
  const units = unitsOf(view.contents().contents, { origin, groupOf, subjectOf, book });
  const search = new Search(new Lines((passage) => units[passage]?.raw ?? ""));
  for (const { passage } of units) search.lines.add(passage);
  const timesReturned = consolidates ? { timesReturned: countResults(view) } : {};
  const table = { units, lines: search.lines, book };
  const runs = chooseRuns({ ...table, search }, units, { ...runRules, ...timesReturned, counter });
  const pointTo = (passage: number, span: KeptPiece) => {
    const unit = units[passage];
    return { target: unit?.at ?? NO_POSITION, ...shiftSpan(span, unit) };
  };
  return editsFor(table, runs, { reason, consolidates, pointTo });
}

/** Counts equal results of equal operations, on first use. */
function countResults(view: View): (unit: Unit) => number {
  let results: ResultCounter | undefined;
  return ({ at, subject }) => {
    results ??= resultsIn(view);
    return results.timesReturned(subject.operation ?? "", at);
  };
}

function resultsIn(view: View): ResultCounter {
  const results = new ResultCounter((at) => view.origin(at)?.raw);
  for (const content of view.contents().contents) {
    const operation = operationKey(content);
    if (operation !== undefined) results.add(operation, content.at);
  }
  return results;
}

/** How runs become edits. */
interface EditRules {
  readonly reason: Reason;
  readonly consolidates: boolean;
  /** Returns the target of a reference to a span of a passage's raw text. */
  pointTo(passage: number, span: KeptPiece): Pick<Reference, "target" | "from" | "to">;
}

/** Returns one edit per text, with all its splices in order. */
export function editsFor(table: Table, runs: readonly MarkedRun[], rules: EditRules): SpliceEdit[] {
  const edits = new Map<string, SpliceEdit & { splices: Splice[] }>();
  for (const [run, mark] of runs) {
    const { at } = unitAt(table, run.from);
    const key = positionKey(at);
    const reason = rules.consolidates && isSameResult(table, run) ? "consolidate" : rules.reason;
    const edit = edits.get(key) ?? { kind: "splice", at, splices: [], reason };
    edit.splices.push(spliceOf(table, [run, mark], rules));
    edits.set(key, edit);
  }
  return [...edits.values()];
}

/** An edit that replaces spans of one text. */
export type SpliceEdit = Extract<Edit, { kind: "splice" }>;

function spliceOf({ units, lines }: Table, [run, mark]: MarkedRun, { pointTo }: EditRules): Splice {
  const { from, to, target, ...formats } = run;
  const there = { from: lines.start[target] ?? 0, to: lines.end[target + to - from - 1] ?? 0 };
  const here = { from: lines.start[from] ?? 0, to: lines.end[to - 1] ?? 0 };
  const reference = { ...pointTo(lines.passage[target] ?? -1, there), ...formats };
  return { ...shiftSpan(here, units[lines.passage[from] ?? -1]), text: mark, reference };
}

/** Converts a span of a unit's raw text to the coordinates of the current text. */
function shiftSpan({ from, to }: KeptPiece, unit: Unit | undefined): KeptPiece {
  const shift = unit?.shift ?? 0;
  return { from: from + shift, to: to + shift };
}

/** Which runs are worth a mark. */
export interface RunRules {
  /** Whether lines of a content may be replaced. */
  isSource(content: Content): boolean;
  /** Set if only a run that is a whole content and repeats a whole one counts. */
  needsWhole?(content: Content): boolean;
  /** Counts how often an operation returned a unit's result; set if repeated whole results are consolidated. */
  readonly timesReturned?: TimesReturned;
  readonly counter: TokenCounter;
}

/** A run with its mark. */
export type MarkedRun = readonly [Run, string];

/** Minimum size of a reference: this many lines or, for long lines, characters; and this many times its mark in tokens. */
const MIN_LINES = 2;
const MIN_CHARS = 90;
const LONG_CHARS = 120;
const MIN_MARKS = 3;
/** The same for a whole result that is counted. */
const MIN_COUNTED = 1.5;
/** Counting this much of a text is enough to see that it is longer than a mark. */
const SAMPLE_CHARS = 800;

/**
 * Searches the last units of a table for lines that occur earlier, and indexes their other lines. The result for a unit depends only on
 * earlier units.
 */
export function chooseRuns(
  table: Table & { readonly search: Search },
  last: readonly FoundUnit[],
  rules: RunRules,
): MarkedRun[] {
  const { units, search, lines, book } = table;
  const first = units.length - last.length;
  const chosen: MarkedRun[] = [];
  const accepts = (run: Run): boolean => {
    const content = last[(lines.passage[run.from] ?? 0) - first]?.content;
    const isCounted = rules.timesReturned !== undefined && isSameResult(table, run);
    if (!isCounted && !isLongEnough(table, run)) return false;
    if (content === undefined || !isWholeEnough(table, run, { content, rules })) return false;
    const mark = markFor(table, run, rules.timesReturned);
    const text = textOf(lines, run.from, run.to);
    const minMarks = isCounted ? MIN_COUNTED : MIN_MARKS;
    if (mark === undefined || !isWorth({ text, mark, minMarks }, rules.counter)) return false;
    chosen.push([run, mark]);
    book.addMark(mark, targetOf(table, run));
    return true;
  };
  for (const [index, { content }] of last.entries()) {
    if (rules.isSource(content)) search.findRuns(first + index, accepts);
    else search.learn(first + index);
  }
  return chosen;
}

/** An argument is replaced only as a whole: a model would imitate a mark inside of one. */
function isWholeEnough(table: Table, run: Run, { content, rules }: { content: Content; rules: RunRules }): boolean {
  if (rules.needsWhole?.(content) === true) return isWholeRun(table, run);
  return content.level !== "parameters" || isWholeHere(table, run);
}

function isLongEnough({ lines }: Table, { from, to }: Run): boolean {
  const chars = textOf(lines, from, to).length;
  return chars >= LONG_CHARS || (chars >= MIN_CHARS && to - from >= MIN_LINES);
}

interface Replacement {
  readonly text: string;
  readonly mark: string;
  /** The text must have this many times the tokens of its mark. @default 3 */
  readonly minMarks?: number;
}

/** Whether a text has enough tokens to be replaced. */
export function isWorth({ text, mark, minMarks = MIN_MARKS }: Replacement, counter: TokenCounter): boolean {
  return counter.countText(text.slice(0, SAMPLE_CHARS)) >= minMarks * counter.countText(mark);
}
