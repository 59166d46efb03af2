import type { TokenCounter } from "@longhaul/models";
import type { Content } from "../content.ts";
import type { Edit, Reason, Splice } from "../edit.ts";
import { type Place, placeKey } from "../place.ts";
import type { View } from "../view.ts";
import { readLines } from "./lines.ts";
import { describe, type Pointer } from "./marker.ts";
import { isSameResult, isWholeRun, markerFor, type Table, unitAt } from "./pointers.ts";
import { countResults } from "./same-operation.ts";
import { type Run, searchLines, textOf } from "./search.ts";
import { unitsOf } from "./units.ts";

/** What may give way to references, and what they may point to. */
export interface ReferenceRules {
  /** Whether lines of a content may give way. */
  isSource(content: Content): boolean;
  /** Lines are compared within a group only; a content without one is left out altogether. */
  groupOf(content: Content): string | undefined;
  /** Set where a run is worth nothing unless it is a whole content and repeats a whole one. */
  needsWhole?(content: Content): boolean;
  /** Set where a whole result that the same operation gave before is marked as consolidated. */
  readonly consolidates?: boolean;
  readonly reason: Reason;
}

/** A reference stands for so many lines or, where they are long, so many characters; and it must save so many tokens. */
const MIN_LINES = 2;
const MIN_CHARS = 90;
const LONG_CHARS = 120;
const MIN_GAIN_TOKENS = 8;
/** A longer text is not counted to its end to see that it is longer than a marker. */
const SAMPLE_CHARS = 800;

/**
 * Plans references for lines that already stand further up in text that is sent as it is. What becomes of a content depends only on what
 * stands before it, so a conversation that grows keeps the references that it has.
 */
export function planReferences(view: View, rules: ReferenceRules): Edit[] {
  const units = unitsOf(view, (content) => rules.groupOf(content));
  const table = { units, lines: readLines(units.map((unit) => unit.passage)) };
  const timesGiven = rules.consolidates === true ? { timesGiven: countResults(view) } : {};
  const markers = new Map<Run, string>();
  const names = nameKeeper(table);
  const search = searchLines(table.lines, (run) => {
    if (!isAllowed(table, run, rules)) return false;
    const marker = markerFor(table, run, { ...names.brevityOf(run), ...timesGiven });
    if (!isWorth(textOf(table.lines, run.from, run.to), marker, view.counter)) return false;
    markers.set(run, marker);
    names.add(run);
    return true;
  });
  for (const [index, unit] of units.entries()) {
    if (rules.isSource(unit.content)) search.runsIn(index);
    else search.learn(index);
  }
  return editsOf(table, markers, rules);
}

/** What the markers of each text have named so far. */
interface NameKeeper {
  brevityOf(run: Run): Pick<Pointer, "isNamed" | "isContinued">;
  add(run: Run): void;
}

function nameKeeper(table: Table): NameKeeper {
  const given = new Map<number, Set<string>>();
  const nameAt = remember((content: Content) => describe(content));
  return {
    brevityOf: (run) => {
      const here = unitAt(table, run.from);
      const there = unitAt(table, run.target);
      const named = given.get(here.textId);
      const name = nameAt(there.content);
      return { isNamed: name === nameAt(here.content) || named?.has(name) === true, isContinued: named !== undefined };
    },
    add: (run) => {
      const { textId } = unitAt(table, run.from);
      given.set(textId, (given.get(textId) ?? new Set()).add(nameAt(unitAt(table, run.target).content)));
    },
  };
}

function remember<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
}

function isAllowed(table: Table, run: Run, { needsWhole }: ReferenceRules): boolean {
  const chars = textOf(table.lines, run.from, run.to).length;
  const isLong = chars >= LONG_CHARS || (chars >= MIN_CHARS && run.to - run.from >= MIN_LINES);
  if (!isLong) return false;
  return needsWhole?.(unitAt(table, run.from).content) !== true || isWholeRun(table, run);
}

/** Whether a marker in the place of a text saves tokens. */
export function isWorth(text: string, marker: string, counter: TokenCounter): boolean {
  return counter.countText(text.slice(0, SAMPLE_CHARS)) - counter.countText(marker) >= MIN_GAIN_TOKENS;
}

/** One edit for each text, with all its splices in order. */
function editsOf(table: Table, markers: ReadonlyMap<Run, string>, { reason, consolidates }: ReferenceRules): Edit[] {
  const edits = new Map<string, { kind: "splice"; at: Place; splices: Splice[]; reason: Reason }>();
  for (const [run, marker] of markers) {
    const { at } = unitAt(table, run.from).content;
    const key = placeKey(at);
    const why = consolidates === true && isSameResult(table, run) ? "consolidate" : reason;
    const edit = edits.get(key) ?? { kind: "splice", at, splices: [], reason: why };
    edit.splices.push(spliceOf(table, run, marker));
    edits.set(key, edit);
  }
  return [...edits.values()];
}

function spliceOf(table: Table, run: Run, marker: string): Splice {
  const { from, to, target, ...dressings } = run;
  const pointedTo = unitAt(table, target).content.at;
  const there = stretchOf(table, target, target + to - from);
  return { ...stretchOf(table, from, to), text: marker, reference: { target: pointedTo, ...there, ...dressings } };
}

/** Rows in the coordinates of the text as it reads now. */
function stretchOf(table: Table, from: number, to: number): { from: number; to: number } {
  const { shift } = unitAt(table, from);
  return { from: (table.lines.start[from] ?? 0) + shift, to: (table.lines.end[to - 1] ?? 0) + shift };
}
