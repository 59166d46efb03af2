import { continues, type LineFormats, lineFormatsFrom, type Pairing, pairRows, reformatLines } from "./line-format.ts";
import { growColumn, type Lines } from "./lines.ts";

/** Lines that occur earlier: rows `from` up to `to` repeat the rows from `target` on. */
export interface Run extends LineFormats {
  readonly from: number;
  readonly to: number;
  readonly target: number;
}

/** Rows without a run are settled only after this many more, because a later run may extend back over them. */
const MAX_REACH_BACK = 8;

/**
 * Searches for lines that occur in an earlier passage, or earlier in the same one; passage by passage in reading order. It takes the
 * longest run at each line, and each run reproduces its lines exactly. The time is linear in the number of lines.
 */
export class Search {
  readonly lines: Lines;
  readonly #index: LineIndex;
  /** 1 for rows that are sent unchanged. */
  #isKnown: Int32Array = new Int32Array(0);

  constructor(lines: Lines) {
    this.lines = lines;
    this.#index = new LineIndex(lines);
  }

  /** Finds the runs in a passage that `accepts` approves, in order. The lines outside of them are indexed. */
  findRuns(passage: number, accepts: (run: Run) => boolean): Run[] {
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

  /** Indexes the lines of a passage without searching it. */
  learn(passage: number): void {
    this.#settle(...this.#open(passage));
  }

  /** Keeps only the first `passages` passages. */
  truncate(passages: number): void {
    const row = this.lines.firstRow[passages] ?? 0;
    this.#index.truncate(row);
    this.#isKnown.fill(0, row, this.lines.rows);
    this.lines.truncate(passages);
  }

  #open(passage: number): [number, number] {
    if (this.#isKnown.length < this.lines.start.length)
      this.#isKnown = growColumn(this.#isKnown, this.lines.start.length);
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
  /** No run extends back before this row. */
  readonly settled: number;
  readonly end: number;
  readonly candidates: readonly number[];
}

/** Returns the run with the most lines, the earliest of equal ones. */
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
  return reproduces(known.lines, run) ? run : undefined;
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

/** A run that repeats lines of its own passage is not extended: it could run into its target. */
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

/** Compares the lines themselves; equal hashes only make it likely. */
function reproduces(lines: Lines, run: Run): boolean {
  const length = run.to - run.from;
  return textOf(lines, run.from, run.to) === reformatLines(textOf(lines, run.target, run.target + length), run);
}

/** Returns the text of rows of one passage. */
export function textOf(lines: Lines, from: number, to: number): string {
  return lines.textOf(lines.passage[from] ?? 0).slice(lines.start[from], lines.end[to - 1]);
}

/** At most this many lines with the same content are indexed, which bounds the cost of a lookup. */
const MAX_EQUAL = 16;

const NO_ROWS: readonly number[] = [];
const NONE = -1;
/** Marks rows that are not indexed. */
const UNKNOWN = -2;
const FEWEST_BUCKETS = 64;

/** Finds lines by their content. */
export class LineIndex {
  readonly #lines: Lines;
  /** Latest indexed row of each bucket. */
  #latest: Int32Array = new Int32Array(FEWEST_BUCKETS).fill(NONE);
  /** For each indexed row the previous one in its bucket. */
  #previous: Int32Array = new Int32Array(0);
  #end = 0;

  constructor(lines: Lines) {
    this.#lines = lines;
  }

  /** Indexes the line in a row, which must be after all indexed ones. */
  add(row: number): void {
    const hash = this.#lines.contentHash[row] ?? 0;
    if (hash === 0 || this.#hasMost(hash)) return;
    this.#makeRoom();
    this.#link(row, hash);
    this.#end = row + 1;
  }

  /** Returns the indexed rows with the same content as a row, latest first. */
  find(row: number): readonly number[] {
    const { contentHash: hashes } = this.#lines;
    const hash = hashes[row] ?? 0;
    if (hash === 0) return NO_ROWS;
    let found: number[] | undefined;
    for (let at = this.#latest[this.#bucketOf(hash)] ?? NONE; at !== NONE; at = this.#previous[at] ?? NONE) {
      if (hashes[at] !== hash) continue;
      if (found === undefined) found = [at];
      else found.push(at);
    }
    return found ?? NO_ROWS;
  }

  #hasMost(hash: number): boolean {
    const { contentHash: hashes } = this.#lines;
    let equal = 0;
    for (let at = this.#latest[this.#bucketOf(hash)] ?? NONE; at !== NONE; at = this.#previous[at] ?? NONE)
      if (hashes[at] === hash) equal++;
    return equal >= MAX_EQUAL;
  }

  /** Keeps only the first `rows` rows. */
  truncate(rows: number): void {
    for (let row = this.#end - 1; row >= rows; row--) {
      const before = this.#previous[row] ?? UNKNOWN;
      if (before === UNKNOWN) continue;
      this.#latest[this.#bucketOf(this.#lines.contentHash[row] ?? 0)] = before;
      this.#previous[row] = UNKNOWN;
    }
    this.#end = Math.min(this.#end, rows);
  }

  #bucketOf(hashes: number): number {
    return hashes & (this.#latest.length - 1);
  }

  #link(row: number, hashes: number): void {
    const bucket = this.#bucketOf(hashes);
    this.#previous[row] = this.#latest[bucket] ?? NONE;
    this.#latest[bucket] = row;
  }

  /** Keeps about two buckets per row. */
  #makeRoom(): void {
    const rows = this.#lines.start.length;
    if (rows > this.#previous.length) this.#previous = growColumn(this.#previous, rows, UNKNOWN);
    if (2 * rows <= this.#latest.length) return;
    this.#latest = new Int32Array(2 ** Math.ceil(Math.log2(2 * rows))).fill(NONE);
    for (let row = 0; row < this.#end; row++) {
      if (this.#previous[row] !== UNKNOWN) this.#link(row, this.#lines.contentHash[row] ?? 0);
    }
  }
}
