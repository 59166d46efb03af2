import type { RowAnswer } from "@longhaul/admin/api";
import { useCallback, useMemo, useRef, useState } from "preact/hooks";
import { errorMessage } from "../gateway/gateway.tsx";

export interface RowSource {
  readonly rowCount: number;
  readonly rows: readonly RowAnswer[];
  /** Positions of the rows that changed, in order. */
  readonly changed: readonly number[];
  readonly page: (from: number, limit: number) => Promise<readonly RowAnswer[]>;
  /** Loads one row with its full texts. */
  readonly whole: (at: number) => Promise<RowAnswer | undefined>;
}

interface State {
  readonly source: RowSource;
  readonly pages: RowPages<RowAnswer>;
  readonly error: string;
}

export function useRowPages(source: RowSource) {
  const first = useMemo<State>(() => ({ source, pages: openPages(source.rowCount, source.rows), error: "" }), [source]);
  const [last, setLast] = useState(first);
  const state = last.source === source ? last : first;
  const latest = useRef(source);
  latest.current = source;
  const change = useCallback(
    (next: (pages: State["pages"]) => State["pages"], error?: string) => {
      // Ignores a late response of a previous source.
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
      const missing = missingPages(state.pages, at, at + 1);
      if (missing.length === 0) return;
      change((pages) => withRequested(pages, missing));
      for (const from of missing) {
        source.page(from, PAGE_ROWS).then(
          (rows) => change((pages) => withPage(pages, from, rows)),
          (error: unknown) => change((pages) => withFailure(pages, from), errorMessage(error)),
        );
      }
    },
    [state, source, change],
  );
  return { rows: state.pages.rows, need, error: state.error, retry: () => change(withoutFailures, "") };
}

export const PAGE_ROWS = 200;

/** A long list that is loaded page by page. Pages are identified by their first row. */
interface RowPages<T> {
  readonly count: number;
  readonly rows: ReadonlyMap<number, T>;
  readonly requested: ReadonlySet<number>;
  /** Requested pages that could not be loaded. */
  readonly failed: ReadonlySet<number>;
}

export function openPages<T>(count: number, first: readonly T[]): RowPages<T> {
  const requested = new Set(Array.from({ length: Math.ceil(first.length / PAGE_ROWS) }, (_, page) => page * PAGE_ROWS));
  return { count, rows: new Map(first.entries()), requested, failed: new Set() };
}

/** Returns the pages to request before the rows `from` to `to` can be shown. */
export function missingPages<T>({ count, requested }: RowPages<T>, from: number, to: number): readonly number[] {
  const first = Math.floor(Math.max(0, from) / PAGE_ROWS) * PAGE_ROWS;
  const pages: number[] = [];
  for (let page = first; page < Math.min(to, count); page += PAGE_ROWS) if (!requested.has(page)) pages.push(page);
  return pages;
}

export function withRequested<T>(pages: RowPages<T>, more: readonly number[]): RowPages<T> {
  return { ...pages, requested: new Set([...pages.requested, ...more]) };
}

export function withPage<T>(pages: RowPages<T>, from: number, rows: readonly T[]): RowPages<T> {
  const entries = rows.map((row, index) => [from + index, row] as const);
  return { ...pages, rows: new Map([...pages.rows, ...entries]) };
}

/** Marks a page as failed. It is not requested again before `withoutFailures`. */
export function withFailure<T>(pages: RowPages<T>, from: number): RowPages<T> {
  return { ...pages, failed: new Set([...pages.failed, from]) };
}

/** Allows failed pages to be requested again. */
export function withoutFailures<T>(pages: RowPages<T>): RowPages<T> {
  const requested = new Set([...pages.requested].filter((from) => !pages.failed.has(from)));
  return { ...pages, requested, failed: new Set() };
}
