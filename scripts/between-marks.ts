/** A page with this text between two of its marks, in place of what stood there. A page that lacks one is refused. */
export function withBetween(page: string, [begin, end]: Marks, text: string): string {
  const from = page.indexOf(begin) + begin.length;
  const to = page.indexOf(end, from);
  if (!page.includes(begin) || to < 0) throw new Error(`the page lacks "${begin}" or "${end}" after it`);
  return `${page.slice(0, from)}\n\n${text}\n\n${page.slice(to)}`;
}

/** Where a page's written part begins, and where it ends. */
export type Marks = readonly [begin: string, end: string];

/** Around what is written of the schemas. */
export const SCHEMA_MARKS: Marks = ["<!-- Written by `npm run schema`. -->", "<!-- End of what is written. -->"];
