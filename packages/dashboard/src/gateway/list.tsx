import { useCallback, useEffect, useState } from "preact/hooks";
import { errorMessage, type QueryResult, useGateway, useQuery } from "./gateway.tsx";
import { useToast } from "./toasts.tsx";

/** Where a list comes from. The value has to stay the same from one drawing to the next. */
export interface ListSource<A, T> extends RowOrder<T> {
  readonly rowsIn: (answer: A) => readonly T[];
  /** What asks for the rows after one. */
  readonly after: (last: T) => Readonly<Record<string, string>>;
  readonly refreshOn: readonly string[];
}

/** A list, the latest first, as far as the reader has asked for it. */
interface Listed<T> {
  readonly answer: QueryResult<readonly T[]>;
  /** Asks for what comes after; nothing where there is no more. */
  readonly more: (() => void) | undefined;
}

const PAGE_ROWS = 100;

/** A list that renews itself at its top and grows at its end. */
export function useList<A, T>(
  path: string,
  query: Readonly<Record<string, string>>,
  source: ListSource<A, T>,
): Listed<T> {
  const { api } = useGateway();
  const tell = useToast();
  const address = addressOf(path, query);
  const first = useQuery<A>(address, source.refreshOn);
  const [state, setState] = useState<{ readonly of: string; readonly rows: readonly T[]; readonly isWhole: boolean }>();
  const listed = state?.of === address ? state : undefined;
  useEffect(() => {
    if (first.value === undefined) return;
    const rows = source.rowsIn(first.value);
    const isLast = rows.length < PAGE_ROWS;
    setState((before) => {
      const held = before?.of === address ? before : undefined;
      const renewed = refreshRows(held?.rows ?? [], { rows, isLast }, source);
      return { of: address, rows: renewed, isWhole: isLast || held?.isWhole === true };
    });
  }, [first.value, source]);
  const last = listed?.rows.at(-1);
  const more = useCallback(async () => {
    if (last === undefined) return;
    try {
      const rows = source.rowsIn(await api.get<A>(addressOf(path, { ...query, ...source.after(last) })));
      setState((before) => {
        if (before?.of !== address) return before;
        return { ...before, rows: appendRows(before.rows, rows, source), isWhole: rows.length < PAGE_ROWS };
      });
    } catch (error) {
      tell(errorMessage(error), "bad");
    }
  }, [api, tell, address, last, source]);
  return {
    answer: { value: listed?.rows, error: first.error, isLoading: first.isLoading, reload: first.reload },
    more: listed === undefined || listed.isWhole ? undefined : () => void more(),
  };
}

function addressOf(path: string, query: Readonly<Record<string, string>>): string {
  return `${path}?${new URLSearchParams({ limit: String(PAGE_ROWS), ...query })}`;
}

/** How rows of a list are told apart and ordered. */
export interface RowOrder<T> {
  readonly keyOf: (row: T) => string;
  /** Rows are listed the latest first. */
  readonly atMsOf: (row: T) => number;
}

/**
 * A list after its first page was asked for again. Rows older than the page stay, those that moved up or went are no longer where they were.
 * `isLast`: nothing is older than the page.
 */
export function refreshRows<T>(
  listed: readonly T[],
  page: { readonly rows: readonly T[]; readonly isLast: boolean },
  { keyOf, atMsOf }: RowOrder<T>,
): readonly T[] {
  const oldest = page.rows.at(-1);
  if (oldest === undefined || page.isLast) return page.rows;
  const fresh = new Set(page.rows.map(keyOf));
  const older = listed.filter((row) => atMsOf(row) <= atMsOf(oldest) && !fresh.has(keyOf(row)));
  return [...page.rows, ...older];
}

/** A list with a further page below it. */
export function appendRows<T>(listed: readonly T[], more: readonly T[], { keyOf }: RowOrder<T>): readonly T[] {
  const here = new Set(listed.map(keyOf));
  return [...listed, ...more.filter((row) => !here.has(keyOf(row)))];
}
