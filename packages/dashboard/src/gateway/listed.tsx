import { useCallback, useEffect, useState } from "preact/hooks";
import { type Answered, useAnswer, useGateway, wordsOf } from "./gateway.tsx";
import { addRows, type RowOrder, renewRows } from "./listed-rows.ts";
import { useTell } from "./toasts.tsx";

/** Where a list comes from. The value has to stay the same from one drawing to the next. */
export interface ListSource<A, T> extends RowOrder<T> {
  readonly rowsIn: (answer: A) => readonly T[];
  /** What asks for the rows after one. */
  readonly after: (last: T) => Readonly<Record<string, string>>;
  readonly news: readonly string[];
}

/** A list, the latest first, as far as the reader has asked for it. */
interface Listed<T> {
  readonly answer: Answered<readonly T[]>;
  /** Asks for what comes after; nothing where there is no more. */
  readonly more: (() => void) | undefined;
}

const PAGE_ROWS = 100;

/** A list that renews itself at its top and grows at its end. */
export function useListed<A, T>(
  path: string,
  query: Readonly<Record<string, string>>,
  source: ListSource<A, T>,
): Listed<T> {
  const { api } = useGateway();
  const tell = useTell();
  const address = addressOf(path, query);
  const first = useAnswer<A>(address, source.news);
  const [state, setState] = useState<{ readonly of: string; readonly rows: readonly T[]; readonly isWhole: boolean }>();
  const listed = state?.of === address ? state : undefined;
  useEffect(() => {
    if (first.value === undefined) return;
    const rows = source.rowsIn(first.value);
    const isLast = rows.length < PAGE_ROWS;
    setState((before) => {
      const held = before?.of === address ? before : undefined;
      const renewed = renewRows(held?.rows ?? [], { rows, isLast }, source);
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
        return { ...before, rows: addRows(before.rows, rows, source), isWhole: rows.length < PAGE_ROWS };
      });
    } catch (error) {
      tell(wordsOf(error), "bad");
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
