import { useCallback, useEffect, useState } from "preact/hooks";
import { errorMessage, type QueryResult, useGateway, useQuery } from "./gateway.tsx";
import { useToast } from "./toasts.tsx";

/** Identifies and orders the rows of a list. */
export interface RowOrder<T> {
  readonly keyOf: (row: T) => string;
  /** Rows are listed newest first. */
  readonly atMsOf: (row: T) => number;
}

/** Describes a paged list of the admin API. Must be the same object on every render. */
export interface ListSource<A, T> extends RowOrder<T> {
  readonly rowsIn: (answer: A) => readonly T[];
  /** Returns the query for the rows after `last`. */
  readonly after: (last: T) => Readonly<Record<string, string>>;
  /** Kinds of live events that reload the first page. */
  readonly refreshOn: readonly string[];
}

const PAGE_ROWS = 100;
/** A file has no more rows. */
const MAX_ROWS = 10_000;

/**
 * Loads a list page by page, newest first. The first page reloads itself on live events; `showMore` loads the next one
 * and is absent at the end of the list. `loadAll` loads all pages for a file.
 */
export function useList<A, T>(path: string, filter: Readonly<Record<string, string>>, source: ListSource<A, T>) {
  const { api } = useGateway();
  const showToast = useToast();
  const address = addressOf(path, filter);
  const first = useQuery<A>(address, source.refreshOn);
  const [state, setState] = useState<{ readonly of: string; readonly rows: readonly T[]; readonly isWhole: boolean }>();
  const loaded = state?.of === address ? state : undefined;
  useEffect(() => {
    if (first.value === undefined) return;
    const rows = source.rowsIn(first.value);
    const isLast = rows.length < PAGE_ROWS;
    setState((before) => {
      const same = before?.of === address ? before : undefined;
      const refreshed = refreshRows(same?.rows ?? [], { rows, isLast }, source);
      return { of: address, rows: refreshed, isWhole: isLast || same?.isWhole === true };
    });
  }, [first.value, source]);
  const last = loaded?.rows.at(-1);
  const showMore = useCallback(async () => {
    if (last === undefined) return;
    try {
      const rows = source.rowsIn(await api.get<A>(addressOf(path, { ...filter, ...source.after(last) })));
      setState((before) => {
        if (before?.of !== address) return before;
        return { ...before, rows: appendRows(before.rows, rows, source), isWhole: rows.length < PAGE_ROWS };
      });
    } catch (error) {
      showToast(errorMessage(error), "bad");
    }
  }, [api, showToast, address, last, source]);
  const loadAll = useCallback(async () => {
    const all: T[] = [];
    for (let isLast = false; !isLast && all.length < MAX_ROWS; ) {
      const after = all.at(-1);
      const more = after === undefined ? {} : source.after(after);
      const rows = source.rowsIn(await api.get<A>(addressOf(path, { ...filter, ...more })));
      all.push(...rows);
      isLast = rows.length < PAGE_ROWS;
    }
    return all;
  }, [api, address, source]);
  const query: QueryResult<readonly T[]> = { ...first, value: loaded?.rows };
  return { query, loadAll, showMore: loaded === undefined || loaded.isWhole ? undefined : () => void showMore() };
}

function addressOf(path: string, query: Readonly<Record<string, string>>): string {
  return `${path}?${new URLSearchParams({ limit: String(PAGE_ROWS), ...query })}`;
}

/** Replaces the first page of a list. Rows older than the page stay, unless they moved into it; `isLast` means that there are none. */
export function refreshRows<T>(
  rows: readonly T[],
  page: { readonly rows: readonly T[]; readonly isLast: boolean },
  { keyOf, atMsOf }: RowOrder<T>,
): readonly T[] {
  const oldest = page.rows.at(-1);
  if (oldest === undefined || page.isLast) return page.rows;
  const fresh = new Set(page.rows.map(keyOf));
  const older = rows.filter((row) => atMsOf(row) <= atMsOf(oldest) && !fresh.has(keyOf(row)));
  return [...page.rows, ...older];
}

/** Appends a page to a list, without rows that the list already has. */
export function appendRows<T>(rows: readonly T[], more: readonly T[], { keyOf }: RowOrder<T>): readonly T[] {
  const known = new Set(rows.map(keyOf));
  return [...rows, ...more.filter((row) => !known.has(keyOf(row)))];
}
