import type { RowAnswer } from "@longhaul/settings";
import { useCallback, useMemo, useRef, useState } from "preact/hooks";
import { wordsOf } from "../gateway/gateway.tsx";
import {
  askedFor,
  missingPages,
  openPages,
  PAGE_ROWS,
  type RowPages,
  withFailure,
  withoutFailures,
  withPage,
} from "./row-pages.ts";

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
          (error: unknown) => change((pages) => withFailure(pages, from), wordsOf(error)),
        );
      }
    },
    [held, source, change],
  );
  return { rows: held.pages.rows, need, error: held.error, retry: () => change(withoutFailures, "") };
}
