/** The part of a virtual list to render. */
interface VisibleRows {
  /** The first row to render, and one past the last. */
  readonly from: number;
  readonly to: number;
  /** The distance of the first row from the top, and the height of the whole list. */
  readonly offset: number;
  readonly height: number;
}

interface Viewport {
  readonly top: number;
  readonly height: number;
  /** Extra pixels to render above and below, so that quick scrolling shows no gaps. */
  readonly margin: number;
}

/** Returns the bottom edge of each row, from the heights of the rows. */
export function rowEnds(heights: readonly number[]): Float64Array {
  const ends = new Float64Array(heights.length);
  let end = 0;
  for (const [index, height] of heights.entries()) {
    end += height;
    ends[index] = end;
  }
  return ends;
}

/** Returns the rows in a viewport. */
export function visibleRows(ends: Float64Array, { top, height, margin }: Viewport): VisibleRows {
  const from = firstEndingAfter(ends, top - margin);
  const last = firstEndingAfter(ends, top + height + margin);
  const to = Math.min(ends.length, last + 1);
  return { from, to, offset: from === 0 ? 0 : (ends[from - 1] ?? 0), height: ends.at(-1) ?? 0 };
}

/** The row at the top of the viewport, and how many pixels of it are above the viewport. */
interface Anchor {
  readonly row: number;
  readonly within: number;
}

/** Returns the anchor at a scroll position. */
export function anchorAt(ends: Float64Array, top: number): Anchor {
  const row = Math.min(firstEndingAfter(ends, top), Math.max(0, ends.length - 1));
  return { row, within: top - (ends[row - 1] ?? 0) };
}

/** Returns the scroll position of an anchor, after the heights of rows have changed. */
export function topOf(ends: Float64Array, { row, within }: Anchor): number {
  return (ends[row - 1] ?? 0) + within;
}

/** Bisects, because lists have thousands of rows and this runs on every scroll event. */
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
