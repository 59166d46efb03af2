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
import { GivenResults, operationKey, subjectOf } from "./subject.ts";
import { type FoundUnit, type Unit, unitsOf } from "./units.ts";

/** What may give way to references, and what they may point to. */
interface ReferenceRules extends Pick<RunRules, "isSource" | "needsWhole"> {
  /** Lines are compared within a group only; a content without one is left out altogether. */
  groupOf(content: Content): string | undefined;
  /** Set where a whole result that the same operation gave before is marked as consolidated. */
  readonly consolidates?: boolean;
  readonly reason: Reason;
}

/**
 * Plans references for lines that already stand further up in text that is sent as it is. What becomes of a content depends only on what
 * stands before it, so a conversation that grows keeps the references that it has.
 */
export function planReferences(view: View, rules: ReferenceRules): Edit[] {
  const { groupOf, reason, consolidates = false, ...runRules } = rules;
  const { origin, counter } = view;
  const units = unitsOf(view.contents().contents, { origin, groupOf, subjectOf });
  const search = new Search(new Lines((passage) => units[passage]?.raw ?? ""));
  for (const { passage } of units) search.lines.add(passage);
  const timesGiven = consolidates ? { timesGiven: countResults(view) } : {};
  const runs = chooseRuns({ units, search }, units, { ...runRules, ...timesGiven, counter });
  const pointTo = (passage: number, stretch: KeptPiece) => {
    const unit = units[passage];
    return { target: unit?.at ?? NO_POSITION, ...moved(stretch, unit) };
  };
  return editsFor({ units, lines: search.lines }, runs, { reason, consolidates, pointTo });
}

/** Counts equal results of equal operations, when first asked. */
function countResults(view: View): (unit: Unit) => number {
  let results: GivenResults | undefined;
  return ({ at, subject }) => {
    results ??= resultsIn(view);
    return results.times(subject.operation ?? "", at);
  };
}

function resultsIn(view: View): GivenResults {
  const results = new GivenResults((at) => view.origin(at)?.raw);
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
  /** What a reference records that points to a stretch of a passage's raw text. */
  pointTo(passage: number, stretch: KeptPiece): Pick<Reference, "target" | "from" | "to">;
}

/** One edit for each text, with all its splices in order. */
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

/** Stretches of one text that give way. */
export type SpliceEdit = Extract<Edit, { kind: "splice" }>;

function spliceOf({ units, lines }: Table, [run, marker]: MarkedRun, { pointTo }: EditRules): Splice {
  const { from, to, target, ...dressings } = run;
  const there = { from: lines.start[target] ?? 0, to: lines.end[target + to - from - 1] ?? 0 };
  const here = { from: lines.start[from] ?? 0, to: lines.end[to - 1] ?? 0 };
  const reference = { ...pointTo(lines.passage[target] ?? -1, there), ...dressings };
  return { ...moved(here, units[lines.passage[from] ?? -1]), text: marker, reference };
}

/** A stretch of a unit's raw text in the coordinates of the text as it reads now. */
function moved({ from, to }: KeptPiece, unit: Unit | undefined): KeptPiece {
  const shift = unit?.shift ?? 0;
  return { from: from + shift, to: to + shift };
}

/** Which runs are worth a marker. */
export interface RunRules {
  /** Whether lines of a content may give way. */
  isSource(content: Content): boolean;
  /** Set where a run is worth nothing unless it is a whole content and repeats a whole one. */
  needsWhole?(content: Content): boolean;
  /** How often an operation gave the result that a unit is; set where whole results that were given before are consolidated. */
  readonly timesGiven?: (unit: Unit) => number;
  readonly counter: TokenCounter;
}

/** A run, and the marker that stands for it. */
export type MarkedRun = readonly [Run, string];

/** A reference stands for so many lines or, where they are long, so many characters; and it must save so many tokens. */
const MIN_LINES = 2;
const MIN_CHARS = 90;
const LONG_CHARS = 120;
const MIN_GAIN_TOKENS = 8;
/** A longer text is not counted to its end to see that it is longer than a marker. */
const SAMPLE_CHARS = 800;

/**
 * Looks through the last units of a table for lines that stand further up, and makes their other lines known. What becomes of a unit
 * depends only on what stands before it.
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
  const names = nameKeeper(table);
  const accepts = (run: Run): boolean => {
    const content = last[(lines.passage[run.from] ?? 0) - first]?.content;
    if (!isLongEnough(table, run)) return false;
    if (content !== undefined && rules.needsWhole?.(content) === true && !isWholeRun(table, run)) return false;
    const timesGiven = rules.timesGiven === undefined ? {} : { timesGiven: rules.timesGiven };
    const marker = markerFor(table, run, { ...names.brevityOf(run), ...timesGiven });
    if (!isWorth(textOf(lines, run.from, run.to), marker, rules.counter)) return false;
    chosen.push([run, marker]);
    names.add(run);
    return true;
  };
  for (const [index, { content }] of last.entries()) {
    if (rules.isSource(content)) search.runsIn(first + index, accepts);
    else search.learn(first + index);
  }
  return chosen;
}

/** What the markers of each text have named so far. */
interface NameKeeper {
  brevityOf(run: Run): Pick<Pointer, "isNamed" | "isContinued">;
  add(run: Run): void;
}

function nameKeeper(table: Table): NameKeeper {
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

/** Whether a marker in the place of a text saves tokens. */
export function isWorth(text: string, marker: string, counter: TokenCounter): boolean {
  return counter.countText(text.slice(0, SAMPLE_CHARS)) - counter.countText(marker) >= MIN_GAIN_TOKENS;
}
