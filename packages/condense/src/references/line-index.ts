import { grown, type Lines } from "./lines.ts";

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
