import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { rowEnds, visibleRows } from "../visible-rows.ts";

interface LongListProps<T> {
  readonly items: readonly T[];
  readonly keyOf: (item: T, index: number) => string;
  /** How tall a row will be about, until it has been drawn once. */
  readonly guessHeight: (item: T) => number;
  readonly label: string;
  /** How tall the list itself is. */
  readonly height: number;
  readonly children: (item: T, index: number) => ComponentChildren;
}

/** Drawn beyond what is in sight, in pixels. */
const MARGIN = 600;

/** A list of any length, of which only what is in sight is drawn. Rows may be of any height, and change it. */
export function LongList<T>({ items, keyOf, guessHeight, label, height, children }: LongListProps<T>) {
  const list = useRef<HTMLElement>(null);
  const [top, setTop] = useState(0);
  const [known, setKnown] = useState<ReadonlyMap<string, number>>(new Map());
  const ends = useMemo(
    () => rowEnds(items.map((item, index) => known.get(keyOf(item, index)) ?? guessHeight(item))),
    [items, known, keyOf, guessHeight],
  );
  const { from, to, offset, height: whole } = visibleRows(ends, { top, height, margin: MARGIN });
  const rows = useRef(new Map<string, HTMLElement>());
  useLayoutEffect(() => {
    const measured = [...rows.current].map(([key, row]) => [key, row.offsetHeight] as const);
    const changed = measured.filter(([key, tall]) => tall > 0 && known.get(key) !== tall);
    if (changed.length > 0) setKnown(new Map([...known, ...changed]));
  });
  useEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const onScroll = () => setTop(element.scrollTop);
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => element.removeEventListener("scroll", onScroll);
  }, []);
  const keep = (key: string, row: HTMLElement | null) => {
    if (row === null) rows.current.delete(key);
    else rows.current.set(key, row);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has only a keyboard scrolls it
    <section class="long-list" ref={list} style={{ height: `${height}px` }} aria-label={label} tabIndex={0}>
      <div class="all" style={{ height: `${whole}px` }}>
        <div class="seen" style={{ transform: `translateY(${offset}px)` }}>
          {items.slice(from, to).map((item, index) => {
            const key = keyOf(item, from + index);
            return (
              <div key={key} ref={(row) => keep(key, row)}>
                {children(item, from + index)}
              </div>
            );
          })}
        </div>
      </div>
    </section>
  );
}
