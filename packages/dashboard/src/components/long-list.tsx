import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { anchorAt, rowEnds, topOf, visibleRows } from "./visible-rows.ts";

interface LongListProps<T> {
  readonly items: readonly T[];
  readonly keyOf: (item: T, index: number) => string;
  /** Estimates the height of a row that has not been rendered yet. */
  readonly guessHeight: (item: T) => number;
  readonly label: string;
  /** The height of the list itself. */
  readonly height: number;
  readonly children: (item: T, index: number) => ComponentChildren;
}

/** Pixels rendered above and below the visible part. */
const MARGIN = 600;

/** A virtual list: only rows near the visible part are rendered. Rows may have any height and change it; visible rows keep their position. */
export function LongList<T>({ items, keyOf, guessHeight, label, height, children }: LongListProps<T>) {
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

/** Measures the heights of all rows that have been rendered. */
function useHeights() {
  const [known, setKnown] = useState<ReadonlyMap<string, number>>(new Map());
  const observer = useRef<ResizeObserver>(undefined);
  const watch = useCallback((row: HTMLElement) => {
    observer.current ??= new ResizeObserver((entries) => {
      const measured = entries.map(
        ({ target, borderBoxSize }) => [nameOf(target), borderBoxSize[0]?.blockSize ?? 0] as const,
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

function nameOf(row: Element): string {
  return row.getAttribute("data-row") ?? "";
}

function withHeights(
  before: ReadonlyMap<string, number>,
  measured: readonly (readonly [name: string, height: number])[],
): ReadonlyMap<string, number> {
  const changed = measured.filter(([name, height]) => height > 0 && before.get(name) !== height);
  return changed.length === 0 ? before : new Map([...before, ...changed]);
}
