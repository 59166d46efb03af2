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
