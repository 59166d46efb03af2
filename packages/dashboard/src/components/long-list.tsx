import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

interface LongListProps<T> {
  readonly items: readonly T[];
  readonly keyOf: (item: T, index: number) => string;
  /** Estimates the height of a row that has not been rendered yet. */
  readonly guessHeight: (item: T) => number;
  readonly label: string;
  /** The height of the list itself. */
  readonly height: number;
  /** The row to scroll to; another object scrolls again. */
  readonly scrollTo?: { readonly index: number } | undefined;
  readonly children: (item: T, index: number) => ComponentChildren;
}

/** Pixels rendered above and below the visible part. */
const MARGIN = 600;

/** A virtual list: only rows near the visible part are rendered. Rows may have any height and change it; visible rows keep their position. */
export function LongList<T>({ items, keyOf, guessHeight, label, height, scrollTo, children }: LongListProps<T>) {
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const { known, watch } = useHeights();
  const ends = useMemo(
    () => rowEnds(items.map((item, index) => known.get(keyOf(item, index)) ?? guessHeight(item))),
    [items, known, keyOf, guessHeight],
  );
  const { from, to, offset, height: whole } = visibleRows(ends, { top, height, margin: MARGIN });
  const rendered = useRef(ends);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    // Uses the current position: the list may have been scrolled since the last render.
    const wanted = topOf(ends, anchorAt(rendered.current, element.scrollTop));
    rendered.current = ends;
    if (Math.abs(element.scrollTop - wanted) >= 1) element.scrollTop = wanted;
    setTop(element.scrollTop);
  }, [ends]);
  useEffect(() => {
    if (list.current !== null && scrollTo !== undefined) list.current.scrollTop = ends[scrollTo.index - 1] ?? 0;
  }, [scrollTo]);
  useEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const onScroll = () => setTop(element.scrollTop);
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => element.removeEventListener("scroll", onScroll);
  }, []);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <div class="long-list" role="group" ref={list} style={{ height: `${height}px` }} aria-label={label} tabIndex={0}>
      <div class="all" style={{ height: `${whole}px` }}>
        <div class="seen" style={{ transform: `translateY(${offset}px)` }}>
          {items.slice(from, to).map((item, index) => {
            const key = keyOf(item, from + index);
            return (
              <Row key={key} name={key} watch={watch}>
                {children(item, from + index)}
              </Row>
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface RowProps {
  readonly name: string;
  readonly watch: (row: HTMLElement) => () => void;
  readonly children: ComponentChildren;
}

function Row({ name, watch, children }: RowProps) {
  const row = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (row.current === null ? undefined : watch(row.current)), [name, watch]);
  return (
    <div ref={row} data-row={name}>
      {children}
    </div>
  );
}

function useHeights() {
  const [known, setKnown] = useState<ReadonlyMap<string, number>>(new Map());
  const observer = useRef<ResizeObserver>(undefined);
  const watch = useCallback((row: HTMLElement) => {
    observer.current ??= new ResizeObserver((entries) => {
      const measured = entries.map(
        ({ target, borderBoxSize }) =>
          [target.getAttribute("data-row") ?? "", borderBoxSize[0]?.blockSize ?? 0] as const,
      );
      // Defers the update, so that rows that become visible are measured in the next frame.
      requestAnimationFrame(() => setKnown((before) => withHeights(before, measured)));
    });
    const watching = observer.current;
    watching.observe(row);
    return () => watching.unobserve(row);
  }, []);
  return { known, watch };
}

function withHeights(
  before: ReadonlyMap<string, number>,
  measured: readonly (readonly [name: string, height: number])[],
): ReadonlyMap<string, number> {
  const changed = measured.filter(([name, height]) => height > 0 && before.get(name) !== height);
  return changed.length === 0 ? before : new Map([...before, ...changed]);
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

/**
 * Returns the first row to render and one past the last, the distance of the first row from the top, and the height
 * of the whole list.
 */
export function visibleRows(ends: Float64Array, { top, height, margin }: Viewport) {
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
