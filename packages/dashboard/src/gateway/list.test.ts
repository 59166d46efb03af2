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

it("puts a further page below, without what is there already", () => {
  expect(appendRows(rows("a9 b8"), rows("b8 c7"), order)).toEqual(rows("a9 b8 c7"));
});

it("keeps rows older than the page that was asked for again", () => {
  const renewed = refreshRows(rows("a9 b8 c7 d6"), { rows: rows("n10 a9"), isLast: false }, order);
  expect(renewed).toEqual(rows("n10 a9 b8 c7 d6"));
});

it("moves a row that was used again, and does not list it twice", () => {
  const renewed = refreshRows(rows("a9 b8 c7 d6"), { rows: rows("d11 a9"), isLast: false }, order);
  expect(renewed).toEqual(rows("d11 a9 b8 c7"));
});

it("leaves out what has gone from the page", () => {
  const renewed = refreshRows(rows("a9 b8 c7"), { rows: rows("b8"), isLast: false }, order);
  expect(renewed).toEqual(rows("b8 c7"));
});

it("keeps nothing below a page that is the last", () => {
  expect(refreshRows(rows("a9 b8"), { rows: rows("a9"), isLast: true }, order)).toEqual(rows("a9"));
});
