import type { Lines } from "./lines.ts";

/** Finds lines by what they say. */
export interface LineIndex {
  /** Makes the line in a row known. */
  add(row: number): void;
  /** Known lines that say what the line in a row says, the latest first. */
  find(row: number): readonly number[];
}

/** Of lines that say the same only the first so many are known, so that looking one up never costs more than that. */
const MAX_EQUAL = 16;

/** An index of rows; `lines` must hold all rows that will ever be added or looked up. */
export function makeLineIndex({ saying }: Lines): LineIndex {
  const mask = bucketCount(saying.length) - 1;
  const latest = new Int32Array(mask + 1).fill(NONE);
  const previous = new Int32Array(saying.length);
  const find = (row: number): number[] => {
    const found: number[] = [];
    const wanted = saying[row] ?? 0;
    if (wanted === 0) return found;
    for (let at = latest[wanted & mask] ?? NONE; at !== NONE; at = previous[at] ?? NONE) {
      if (saying[at] === wanted) found.push(at);
    }
    return found;
  };
  const add = (row: number): void => {
    const said = saying[row] ?? 0;
    if (said === 0 || find(row).length >= MAX_EQUAL) return;
    previous[row] = latest[said & mask] ?? NONE;
    latest[said & mask] = row;
  };
  return { add, find };
}

const NONE = -1;

/** The power of two that leaves about two buckets for each row. */
function bucketCount(rows: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(rows, 1)) + 1);
}
