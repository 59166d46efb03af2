import { type Style, withoutControls, wrapText } from "./output.ts";

type Row = readonly string[];

/**
 * Formats rows as a table: the first row is the head, the first column is aligned left and the others right. A table that is too wide gets
 * a head of several lines and short counts, and a first cell that is too long for its column gets lines of its own. Columns that still do
 * not fit follow in further tables.
 */
export function formatTable(cells: readonly Row[], style: Style): string {
  const { columns } = style;
  // Names come from requests; their control characters could change the terminal.
  const rows = cells.map((row) => row.map(withoutControls));
  if (widthOf(rows) <= columns) return write([rows[0] ?? []], rows.slice(1), style);
  const [head = [], ...body] = rows;
  const short = body.map((row) => row.map(shortCount));
  const firstWidth = Math.max(MIN_FIRST, columns - restWidth([...wrappedHead(head, MIN_FIRST), ...short]));
  const named = short.flatMap((row) => withNameLines(row, { firstWidth, columns }));
  return fittingParts(wrappedHead(head, firstWidth), named, columns)
    .map((part) => write(part.heads, part.body, style))
    .join("\n");
}

const GAP = "  ";
const MIN_FIRST = 10;

function write(heads: readonly Row[], body: readonly Row[], { bold }: Style): string {
  const widths = widthsOf([...heads, ...body]);
  const line = (row: Row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)));
  return [...heads.map((row) => bold(line(row).join(GAP))), ...body.map((row) => line(row).join(GAP))]
    .map((text) => `${text}\n`)
    .join("");
}

/** Rows of one cell are lines of their own and need no column. */
function widthsOf(rows: readonly Row[]): number[] {
  const aligned = rows.filter(({ length }) => length > 1);
  return (rows[0] ?? []).map((_, column) => Math.max(0, ...aligned.map((row) => row[column]?.length ?? 0)));
}

function widthOf(rows: readonly Row[]): number {
  return widthsOf(rows).reduce((sum, width) => sum + width + GAP.length, -GAP.length);
}

/** Returns the width of all columns but the first, with their gaps. */
function restWidth(rows: readonly Row[]): number {
  return widthsOf(rows)
    .slice(1)
    .reduce((sum, width) => sum + width + GAP.length, 0);
}

/** Splits heads into words, one per line, and the first into lines of a width; the last words are at the bottom. */
function wrappedHead([first = "", ...others]: Row, firstWidth: number): Row[] {
  const words = [wrapText(first, firstWidth).split("\n"), ...others.map((name) => name.split(" "))];
  const lines = Math.max(1, ...words.map(({ length }) => length));
  return Array.from({ length: lines }, (_, line) => words.map((parts) => parts[parts.length - lines + line] ?? ""));
}

/** Puts a first cell that is too long for its column above its row. */
function withNameLines(row: Row, { firstWidth, columns }: Record<"firstWidth" | "columns", number>): Row[] {
  const [name = "", ...others] = row;
  if (name.length <= firstWidth) return [row];
  const lines = wrapText(name, columns).split("\n");
  return [...lines.map((line) => [line]), ["", ...others]];
}

function shortCount(cell: string): string {
  if (!/^-?\d{1,3}(?:,\d{3})+$/.test(cell)) return cell;
  const count = Number(cell.replaceAll(",", ""));
  if (Math.abs(count) < 10_000) return cell;
  return Math.abs(count) < 1_000_000 ? `${Math.round(count / 1_000)}K` : `${(count / 1_000_000).toFixed(1)}M`;
}

interface TablePart {
  readonly heads: readonly Row[];
  readonly body: readonly Row[];
}

/** Splits columns into tables that are narrow enough, each with the first column. */
function fittingParts(heads: readonly Row[], body: readonly Row[], columns: number): TablePart[] {
  const widths = widthsOf([...heads, ...body]);
  const groups: number[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const [column, width] of widths.entries()) {
    if (column === 0) continue;
    if (used + GAP.length + width > columns) {
      groups.push([0]);
      used = widths[0] ?? 0;
    }
    groups.at(-1)?.push(column);
    used += GAP.length + width;
  }
  const pick = (rows: readonly Row[], group: readonly number[]) =>
    rows.map((row) => (row.length === 1 ? row : group.map((at) => row[at] ?? "")));
  const isBlank = (row: Row) => row.every((cell) => cell === "");
  return groups.map((group) => ({
    heads: pick(heads, group).filter((row) => !isBlank(row)),
    body: pick(body, group),
  }));
}
