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
export function renewRows<T>(
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
export function addRows<T>(listed: readonly T[], more: readonly T[], { keyOf }: RowOrder<T>): readonly T[] {
  const here = new Set(listed.map(keyOf));
  return [...listed, ...more.filter((row) => !here.has(keyOf(row)))];
}
