import type { TokenCounter } from "@longhaul/models";
import type { Content } from "../content/content.ts";
import type { View } from "../contract/view.ts";
import type { KeptPiece } from "../edits/change.ts";
import type { Edit, Reason, Reference, Splice } from "../edits/edit.ts";
import { NO_POSITION, positionKey } from "../edits/text-position.ts";
import { Lines } from "./lines.ts";
import type { Pointer } from "./marker.ts";
import { isSameResult, isWholeRun, markerFor, type Table, unitAt } from "./pointers.ts";
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
export function planReferences(view: View, rules: ReferenceRules): Edit[] {
  const { groupOf, reason, consolidates = false, ...runRules } = rules;
  const { origin, counter } = view;
  const units = unitsOf(view.contents().contents, { origin, groupOf, subjectOf });
  const search = new Search(new Lines((passage) => units[passage]?.raw ?? ""));
  for (const { passage } of units) search.lines.add(passage);
  const timesReturned = consolidates ? { timesReturned: countResults(view) } : {};
  const runs = chooseRuns({ units, search }, units, { ...runRules, ...timesReturned, counter });
  const pointTo = (passage: number, span: KeptPiece) => {
    const unit = units[passage];
    return { target: unit?.at ?? NO_POSITION, ...shiftSpan(span, unit) };
  };
  return editsFor({ units, lines: search.lines }, runs, { reason, consolidates, pointTo });
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
  for (const [run, marker] of runs) {
    const { at } = unitAt(table, run.from);
    const key = positionKey(at);
    const reason = rules.consolidates && isSameResult(table, run) ? "consolidate" : rules.reason;
    const edit = edits.get(key) ?? { kind: "splice", at, splices: [], reason };
    edit.splices.push(spliceOf(table, [run, marker], rules));
    edits.set(key, edit);
  }
  return [...edits.values()];
}

/** An edit that replaces spans of one text. */
export type SpliceEdit = Extract<Edit, { kind: "splice" }>;

function spliceOf({ units, lines }: Table, [run, marker]: MarkedRun, { pointTo }: EditRules): Splice {
  const { from, to, target, ...formats } = run;
  const there = { from: lines.start[target] ?? 0, to: lines.end[target + to - from - 1] ?? 0 };
  const here = { from: lines.start[from] ?? 0, to: lines.end[to - 1] ?? 0 };
  const reference = { ...pointTo(lines.passage[target] ?? -1, there), ...formats };
  return { ...shiftSpan(here, units[lines.passage[from] ?? -1]), text: marker, reference };
}

/** Converts a span of a unit's raw text to the coordinates of the current text. */
function shiftSpan({ from, to }: KeptPiece, unit: Unit | undefined): KeptPiece {
  const shift = unit?.shift ?? 0;
  return { from: from + shift, to: to + shift };
}

/** Which runs are worth a marker. */
export interface RunRules {
  /** Whether lines of a content may be replaced. */
  isSource(content: Content): boolean;
  /** Set if only a run that is a whole content and repeats a whole one counts. */
  needsWhole?(content: Content): boolean;
  /** Counts how often an operation returned a unit's result; set if repeated whole results are consolidated. */
  readonly timesReturned?: (unit: Unit) => number;
  readonly counter: TokenCounter;
}

/** A run with its marker. */
export type MarkedRun = readonly [Run, string];

/** Minimum size of a reference: this many lines or, for long lines, characters; and this many tokens saved. */
const MIN_LINES = 2;
const MIN_CHARS = 90;
const LONG_CHARS = 120;
const MIN_GAIN_TOKENS = 8;
/** Counting this much of a text is enough to see that it is longer than a marker. */
const SAMPLE_CHARS = 800;

/**
 * Searches the last units of a table for lines that occur earlier, and indexes their other lines. The result for a unit depends only on
 * earlier units.
 */
export function chooseRuns(
  { units, search }: { readonly units: readonly Unit[]; readonly search: Search },
  last: readonly FoundUnit[],
  rules: RunRules,
): MarkedRun[] {
  const { lines } = search;
  const table = { units, lines };
  const first = units.length - last.length;
  const chosen: MarkedRun[] = [];
  const names = markerNames(table);
  const accepts = (run: Run): boolean => {
    const content = last[(lines.passage[run.from] ?? 0) - first]?.content;
    if (!isLongEnough(table, run)) return false;
    if (content !== undefined && rules.needsWhole?.(content) === true && !isWholeRun(table, run)) return false;
    const timesReturned = rules.timesReturned === undefined ? {} : { timesReturned: rules.timesReturned };
    const marker = markerFor(table, run, { ...names.brevityOf(run), ...timesReturned });
    if (!isWorth(textOf(lines, run.from, run.to), marker, rules.counter)) return false;
    chosen.push([run, marker]);
    names.add(run);
    return true;
  };
  for (const [index, { content }] of last.entries()) {
    if (rules.isSource(content)) search.findRuns(first + index, accepts);
    else search.learn(first + index);
  }
  return chosen;
}

/** Names that the markers of each text have already used. */
interface MarkerNames {
  brevityOf(run: Run): Pick<Pointer, "isNamed" | "isContinued">;
  add(run: Run): void;
}

function markerNames(table: Table): MarkerNames {
  const given = new Map<number, Set<string>>();
  return {
    brevityOf: (run) => {
      const here = unitAt(table, run.from);
      const { name } = unitAt(table, run.target).subject;
      const named = given.get(here.textId);
      return { isNamed: name === here.subject.name || named?.has(name) === true, isContinued: named !== undefined };
    },
    add: (run) => {
      const { textId } = unitAt(table, run.from);
      given.set(textId, (given.get(textId) ?? new Set()).add(unitAt(table, run.target).subject.name));
    },
  };
}

function isLongEnough({ lines }: Table, { from, to }: Run): boolean {
  const chars = textOf(lines, from, to).length;
  return chars >= LONG_CHARS || (chars >= MIN_CHARS && to - from >= MIN_LINES);
}

/** Whether replacing a text with a marker saves enough tokens. */
export function isWorth(text: string, marker: string, counter: TokenCounter): boolean {
  return counter.countText(text.slice(0, SAMPLE_CHARS)) - counter.countText(marker) >= MIN_GAIN_TOKENS;
}
