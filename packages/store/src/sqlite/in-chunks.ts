/** Rows of one statement: enough to be fast, and few enough parameters for every database. */
const MAX_ROWS = 64;

/**
 * Rows in chunks to be inserted by one statement each. Sizes are powers of two, so that few statements differ: each is prepared once and
 * kept.
 */
export function inChunks<Row>(rows: readonly Row[]): readonly (readonly Row[])[] {
  const chunks: (readonly Row[])[] = [];
  let from = 0;
  for (let size = MAX_ROWS; size >= 1; size /= 2) {
    for (; from + size <= rows.length; from += size) chunks.push(rows.slice(from, from + size));
  }
  return chunks;
}
