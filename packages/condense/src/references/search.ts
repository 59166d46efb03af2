import { type LineFormats, reformatLines } from "./line-format.ts";
import { grown, type Lines } from "./lines.ts";
import { continues, lineFormatsFrom, type Pairing, pairRows } from "./pairing.ts";

/** Lines that stand earlier already: the rows `from` up to `to` say what the rows from `target` on say. */
export interface Run extends LineFormats {
  readonly from: number;
  readonly to: number;
  readonly target: number;
}

/** Lines that the search passed without finding a run are kept back this long, in case a run reaches back over them. */
const MAX_REACH_BACK = 8;

/**
 * Looks for lines that stand in an earlier passage, or further up in the same one; passage by passage in reading order. It takes the longest
 * run at each line, and each run gives back its lines exactly. The work is linear in the number of lines.
 */
export class Search {
  readonly lines: Lines;
  readonly #index: LineIndex;
  /** 1 where a row is a line that will be sent as it is. */
  #isKnown: Int32Array = new Int32Array(0);

  constructor(lines: Lines) {
    this.lines = lines;
    this.#index = new LineIndex(lines);
  }

  /** Finds the runs in a passage that `accepts` says are worth it, in order. The lines outside of them are known from now on. */
  runsIn(passage: number, accepts: (run: Run) => boolean): Run[] {
    const [first, end] = this.#open(passage);
    const known = { lines: this.lines, isKnown: this.#isKnown };
    const runs: Run[] = [];
    let settled = first;
    let row = first;
    while (row < end) {
      const run = longestRun(known, { row, settled, end, candidates: this.#index.find(row) });
      const isTaken = run !== undefined && accepts(run);
      const sure = isTaken ? run.from : Math.max(settled, row - MAX_REACH_BACK);
      this.#settle(settled, sure);
      settled = isTaken ? run.to : sure;
      if (isTaken) runs.push(run);
      row = run?.to ?? row + 1;
    }
    this.#settle(settled, end);
    return runs;
  }

  /** Makes the lines of a passage known without looking for runs in it. */
  learn(passage: number): void {
    this.#settle(...this.#open(passage));
  }

  /** Forgets all passages but the first so many, and what they say. */
  cut(passages: number): void {
    const row = this.lines.firstRow[passages] ?? 0;
    this.#index.cut(row);
    this.#isKnown.fill(0, row, this.lines.rows);
    this.lines.cut(passages);
  }

  #open(passage: number): [number, number] {
    if (this.#isKnown.length < this.lines.start.length) this.#isKnown = grown(this.#isKnown, this.lines.start.length);
    return [this.lines.firstRow[passage] ?? 0, (this.lines.firstRow[passage + 1] ?? 1) - 1];
  }

  #settle(from: number, to: number): void {
    for (let row = from; row < to; row++) {
      this.#isKnown[row] = 1;
      this.#index.add(row);
    }
  }
}

interface Known {
  readonly lines: Lines;
  readonly isKnown: Int32Array;
}

interface Spot {
  readonly row: number;
  /** No run reaches back before this row. */
  readonly settled: number;
  /** One past the last row of the passage. */
  readonly end: number;
  readonly candidates: readonly number[];
}

/** The run with the most characters; of equals the earliest target. */
function longestRun(known: Known, spot: Spot): Run | undefined {
  let best: { target: number; length: number; pairing: Pairing } | undefined;
  for (const target of spot.candidates) {
    const pairing = pairRows(known.lines, spot.row, target);
    const length = pairing === undefined ? 0 : lengthOf(known, spot, { target, pairing });
    if (pairing !== undefined && length > 0 && length >= (best?.length ?? 0)) best = { target, length, pairing };
  }
  if (best === undefined) return undefined;
  const { target, pairing, length } = best;
  const back = reachBack(known, spot, { target, pairing });
  const run = {
    from: spot.row - back,
    to: spot.row + length,
    target: target - back,
    ...lineFormatsFrom(pairing, -back),
  };
  return givesBack(known.lines, run) ? run : undefined;
}

interface Candidate {
  readonly target: number;
  readonly pairing: Pairing;
}

function lengthOf({ lines, isKnown }: Known, { row, end }: Spot, { target, pairing }: Candidate): number {
  const rows = { here: row, there: target };
  let offset = 0;
  while (row + offset < end && isKnown[target + offset] === 1 && continues(lines, rows, { pairing, offset })) offset++;
  return offset;
}

/** A run that repeats lines of its own passage is left as it is: reaching back it could run into its target. */
function reachBack({ lines, isKnown }: Known, { row, settled }: Spot, { target, pairing }: Candidate): number {
  if (lines.passage[target] === lines.passage[row]) return 0;
  const rows = { here: row, there: target };
  let back = 0;
  while (
    row - back - 1 >= settled &&
    isKnown[target - back - 1] === 1 &&
    continues(lines, rows, { pairing, offset: -back - 1 })
  ) {
    back++;
  }
  return back;
}

/** Hashes only say that lines are likely the same; this compares them. */
function givesBack(lines: Lines, run: Run): boolean {
  const length = run.to - run.from;
  return textOf(lines, run.from, run.to) === reformatLines(textOf(lines, run.target, run.target + length), run);
}

/** The text of rows of one passage. */
export function textOf(lines: Lines, from: number, to: number): string {
  return lines.textOf(lines.passage[from] ?? 0).slice(lines.start[from], lines.end[to - 1]);
}

/** Of lines that say the same only the first so many are known, so that looking one up never costs more than that. */
const MAX_EQUAL = 16;

/** No row. */
const NONE = -1;
/** Stands at rows that are not known. */
const UNKNOWN = -2;
const FEWEST_BUCKETS = 64;

/** Finds lines by what they say. */
export class LineIndex {
  readonly #lines: Lines;
  /** The latest known row of each bucket. */
  #latest: Int32Array = new Int32Array(FEWEST_BUCKETS).fill(NONE);
  /** The known row before each known row in its bucket. */
  #previous: Int32Array = new Int32Array(0);
  /** One past the last row that was made known. */
  #end = 0;

  constructor(lines: Lines) {
    this.#lines = lines;
  }

  /** Makes the line in a row known, which must stand behind all known ones. */
  add(row: number): void {
    const said = this.#lines.saying[row] ?? 0;
    if (said === 0 || this.find(row).length >= MAX_EQUAL) return;
    this.#makeRoom();
    this.#link(row, said);
    this.#end = row + 1;
  }

  /** Known lines that say what the line in a row says, the latest first. */
  find(row: number): readonly number[] {
    const found: number[] = [];
    const { saying } = this.#lines;
    const wanted = saying[row] ?? 0;
    if (wanted === 0) return found;
    for (let at = this.#latest[this.#bucketOf(wanted)] ?? NONE; at !== NONE; at = this.#previous[at] ?? NONE) {
      if (saying[at] === wanted) found.push(at);
    }
    return found;
  }

  /** Forgets all rows but the first so many. */
  cut(rows: number): void {
    for (let row = this.#end - 1; row >= rows; row--) {
      const before = this.#previous[row] ?? UNKNOWN;
      if (before === UNKNOWN) continue;
      this.#latest[this.#bucketOf(this.#lines.saying[row] ?? 0)] = before;
      this.#previous[row] = UNKNOWN;
    }
    this.#end = Math.min(this.#end, rows);
  }

  #bucketOf(saying: number): number {
    return saying & (this.#latest.length - 1);
  }

  #link(row: number, saying: number): void {
    const bucket = this.#bucketOf(saying);
    this.#previous[row] = this.#latest[bucket] ?? NONE;
    this.#latest[bucket] = row;
  }

  /** Leaves about two buckets for each row. */
  #makeRoom(): void {
    const rows = this.#lines.start.length;
    if (rows > this.#previous.length) this.#previous = grown(this.#previous, rows, UNKNOWN);
    if (2 * rows <= this.#latest.length) return;
    this.#latest = new Int32Array(2 ** Math.ceil(Math.log2(2 * rows))).fill(NONE);
    for (let row = 0; row < this.#end; row++) {
      if (this.#previous[row] !== UNKNOWN) this.#link(row, this.#lines.saying[row] ?? 0);
    }
  }
}
