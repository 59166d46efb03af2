import type { RowAnswer } from "@longhaul/admin/api";
import { useCallback, useMemo, useRef, useState } from "preact/hooks";
import { errorMessage } from "../gateway/gateway.tsx";

/** Where rows come from. */
export interface RowSource {
  readonly rowCount: number;
  readonly rows: readonly RowAnswer[];
  /** Rows from a place on. */
  readonly page: (from: number, limit: number) => Promise<readonly RowAnswer[]>;
  /** One row with its whole texts. */
  readonly whole: (at: number) => Promise<RowAnswer | undefined>;
}

interface ShownRows {
  readonly rows: ReadonlyMap<number, RowAnswer>;
  /** Asks for the page of a row that is not here. */
  readonly need: (at: number) => void;
  /** Why rows did not come. */
  readonly error: string;
  readonly retry: () => void;
}

interface Held {
  readonly source: RowSource;
  readonly pages: RowPages<RowAnswer>;
  readonly error: string;
}

/** The rows of a source, as far as somebody needed them. */
export function useRowPages(source: RowSource): ShownRows {
  const first = useMemo<Held>(() => ({ source, pages: openPages(source.rowCount, source.rows), error: "" }), [source]);
  const [last, setLast] = useState(first);
  const held = last.source === source ? last : first;
  const latest = useRef(source);
  latest.current = source;
  const change = useCallback(
    (next: (pages: Held["pages"]) => Held["pages"], error?: string) => {
      // What was asked of one source may come when another one is shown.
      if (latest.current !== source) return;
      setLast((before) => {
        const known = before.source === source ? before : first;
        return { source, pages: next(known.pages), error: error ?? known.error };
      });
    },
    [source, first],
  );
  const need = useCallback(
    (at: number) => {
      const missing = missingPages(held.pages, at, at + 1);
      if (missing.length === 0) return;
      change((pages) => askedFor(pages, missing));
      for (const from of missing) {
        source.page(from, PAGE_ROWS).then(
          (rows) => change((pages) => withPage(pages, from, rows)),
          (error: unknown) => change((pages) => withFailure(pages, from), errorMessage(error)),
        );
      }
    },
    [held, source, change],
  );
  return { rows: held.pages.rows, need, error: held.error, retry: () => change(withoutFailures, "") };
}

/** Rows that are asked for together. */
export const PAGE_ROWS = 200;

/** Parts of a long list that is fetched page by page. */
export interface RowPages<T> {
  readonly count: number;
  readonly rows: ReadonlyMap<number, T>;
  /** First rows of pages that were asked for. */
  readonly asked: ReadonlySet<number>;
  /** Those of them that did not come. */
  readonly failed: ReadonlySet<number>;
}

/** A list of which the first page is here. */
export function openPages<T>(count: number, first: readonly T[]): RowPages<T> {
  const asked = new Set(Array.from({ length: Math.ceil(first.length / PAGE_ROWS) }, (_, page) => page * PAGE_ROWS));
  return { count, rows: new Map(first.entries()), asked, failed: new Set() };
}

/** The pages that have to be asked for before these rows can be shown. */
export function missingPages<T>({ count, asked }: RowPages<T>, from: number, to: number): readonly number[] {
  const first = Math.floor(Math.max(0, from) / PAGE_ROWS) * PAGE_ROWS;
  const pages: number[] = [];
  for (let page = first; page < Math.min(to, count); page += PAGE_ROWS) if (!asked.has(page)) pages.push(page);
  return pages;
}

/** The same list, with pages on their way. */
export function askedFor<T>(pages: RowPages<T>, more: readonly number[]): RowPages<T> {
  return { ...pages, asked: new Set([...pages.asked, ...more]) };
}

/** The same list, with a page that came. */
export function withPage<T>(pages: RowPages<T>, from: number, rows: readonly T[]): RowPages<T> {
  const placed = rows.map((row, index) => [from + index, row] as const);
  return { ...pages, rows: new Map([...pages.rows, ...placed]) };
}

/** The same list, with a page that did not come. It is not asked for again until somebody wants that. */
export function withFailure<T>(pages: RowPages<T>, from: number): RowPages<T> {
  return { ...pages, failed: new Set([...pages.failed, from]) };
}

/** The same list, in which the pages that did not come may be asked for again. */
export function withoutFailures<T>(pages: RowPages<T>): RowPages<T> {
  return { ...pages, asked: new Set([...pages.asked].filter((from) => !pages.failed.has(from))), failed: new Set() };
}
