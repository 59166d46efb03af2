/** Rows of a long list, of which only those in sight are drawn. */
interface VisibleRows {
  /** The first row to draw, and one past the last. */
  readonly from: number;
  readonly to: number;
  /** How far down the first row stands, and how tall the whole list is. */
  readonly offset: number;
  readonly height: number;
}

/** What is in sight of a list. */
interface Sight {
  readonly top: number;
  readonly height: number;
  /** How far beyond it rows are drawn, so that quick scrolling shows no gaps. */
  readonly margin: number;
}

/** Where each row ends, given how tall each one is. */
export function rowEnds(heights: readonly number[]): Float64Array {
  const ends = new Float64Array(heights.length);
  let end = 0;
  for (const [index, height] of heights.entries()) {
    end += height;
    ends[index] = end;
  }
  return ends;
}

/** The rows in sight. */
export function visibleRows(ends: Float64Array, { top, height, margin }: Sight): VisibleRows {
  const from = firstEndingAfter(ends, top - margin);
  const last = firstEndingAfter(ends, top + height + margin);
  const to = Math.min(ends.length, last + 1);
  return { from, to, offset: from === 0 ? 0 : (ends[from - 1] ?? 0), height: ends.at(-1) ?? 0 };
}

/** What stands at the top of what is in sight: a row, and how far its begin is above that. */
interface Anchor {
  readonly row: number;
  readonly within: number;
}

/** What stands at a height. */
export function anchorAt(ends: Float64Array, top: number): Anchor {
  const row = Math.min(firstEndingAfter(ends, top), Math.max(0, ends.length - 1));
  return { row, within: top - (ends[row - 1] ?? 0) };
}

/** Where an anchor is once rows above it have other heights. */
export function topOf(ends: Float64Array, { row, within }: Anchor): number {
  return (ends[row - 1] ?? 0) + within;
}

/** By bisection: lists have thousands of rows, and this runs on every scroll. */
function firstEndingAfter(ends: Float64Array, at: number): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ends[middle] ?? 0) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}
