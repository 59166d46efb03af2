import type { TokenCounter } from "@longhaul/models";
import type { Content } from "../content/content.ts";
import type { Pointer } from "./marker.ts";
import { isWholeRun, markerFor, type Table, unitAt } from "./pointers.ts";
import { type Run, type Search, textOf } from "./search.ts";
import type { FoundUnit, Unit } from "./units.ts";

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
