import { expect, it } from "vitest";
import { appendRows, type RowOrder, refreshRows } from "./list.tsx";

interface Row {
  readonly id: string;
  readonly at: number;
}

const order: RowOrder<Row> = { keyOf: ({ id }) => id, atMsOf: ({ at }) => at };

function rows(text: string): readonly Row[] {
  return text.split(" ").map((one) => ({ id: one.slice(0, 1), at: Number(one.slice(1)) }));
}

it("appends a page without rows that are already in the list", () => {
  expect(appendRows(rows("a9 b8"), rows("b8 c7"), order)).toEqual(rows("a9 b8 c7"));
});

it("keeps rows that are older than the refreshed page", () => {
  const refreshed = refreshRows(rows("a9 b8 c7 d6"), { rows: rows("n10 a9"), isLast: false }, order);
  expect(refreshed).toEqual(rows("n10 a9 b8 c7 d6"));
});

it("moves a row that was updated, and does not list it twice", () => {
  const refreshed = refreshRows(rows("a9 b8 c7 d6"), { rows: rows("d11 a9"), isLast: false }, order);
  expect(refreshed).toEqual(rows("d11 a9 b8 c7"));
});

it("removes rows that are no longer on the page", () => {
  const refreshed = refreshRows(rows("a9 b8 c7"), { rows: rows("b8"), isLast: false }, order);
  expect(refreshed).toEqual(rows("b8 c7"));
});

it("keeps no older rows when the page is the last one", () => {
  expect(refreshRows(rows("a9 b8"), { rows: rows("a9"), isLast: true }, order)).toEqual(rows("a9"));
});
