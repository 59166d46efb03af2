import type { Content } from "../content/content.ts";
import type { View } from "../contract/view.ts";
import type { Edit, Reason, Reference, Splice } from "../edits/edit.ts";
import type { KeptPiece } from "../edits/pieces.ts";
import { NO_POSITION, positionKey } from "../edits/text-position.ts";
import { chooseRuns, type MarkedRun, type RunRules } from "./choose-runs.ts";
import { Lines } from "./lines.ts";
import { isSameResult, type Table, unitAt } from "./pointers.ts";
import { GivenResults, operationKey } from "./same-operation.ts";
import { Search } from "./search.ts";
import { subjectOf } from "./subject.ts";
import { type Unit, unitsOf } from "./units.ts";

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
