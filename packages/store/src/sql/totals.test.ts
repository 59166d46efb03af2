import { expect, it } from "vitest";
import { makeCondensationEvent, makeRequestEvent, makeTotals } from "../testing/make.ts";
import { makeEngine, openDatabase } from "../testing/open-database.ts";
import {
  hasFailed,
  INTO_TOTALS,
  isOverWindow,
  measuresOfCondensation,
  measuresOfRequest,
  perMeasure,
  readTotals,
  totalsRows,
  ZERO_MEASURES,
} from "./totals.ts";

it("stores one row per hour and day for any number of requests", async () => {
  const database = await openDatabase();
  const requests = Array.from({ length: 300 }, (_, index) => makeRequestEvent({ id: `${index}`, atMs: index }));
  const { insertRows } = makeEngine(database);
  await database
    .transaction()
    .execute((transaction) => insertRows(transaction, INTO_TOTALS, totalsRows({ requests, condensations: [] })));
  const rows = await database.selectFrom("totals").select("bucket").execute();
  expect(rows.map(({ bucket }) => bucket).sort()).toEqual(["day", "hour"]);
  const [total] = await readTotals(database, { bucket: "day", sinceMs: 0, untilMs: 1 });
  expect(total).toEqual({ ...makeTotals(), ...multiplied(300) });
  await database.destroy();
});

function multiplied(times: number): Record<string, number> {
  const { atMs: _, group: __, ...figures } = makeTotals();
  return Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, figure * times]));
}

it("has every figure of the totals once", () => {
  const { atMs: _, group: __, ...totals } = makeTotals();
  expect(perMeasure((name) => name)).toEqual(Object.fromEntries(Object.keys(totals).map((name) => [name, name])));
});

it("returns the figures of a request", () => {
  const { atMs: _, group: __, ...totals } = makeTotals();
  expect(measuresOfRequest(makeRequestEvent())).toEqual(totals);
});

it("counts no saved tokens for a request that was never sent", () => {
  expect(measuresOfRequest(makeRequestEvent({ sentTokens: 0 })).savedTokens).toBe(0);
  expect(measuresOfRequest(makeRequestEvent({ sentTokens: 412 })).savedTokens).toBe(9_000);
});

it("returns the figures of a condensation", () => {
  expect(measuresOfCondensation(makeCondensationEvent())).toEqual({
    ...ZERO_MEASURES,
    condensations: 1,
    condensingUsd: 0.125,
  });
});

it("counts only the cost of a condensation without a result", () => {
  const { tokensBefore } = makeCondensationEvent();
  const missed = makeCondensationEvent({ tokensAfter: tokensBefore });
  expect(measuresOfCondensation(missed)).toEqual({ ...ZERO_MEASURES, condensingUsd: 0.125 });
});

it.each([
  [{}, false],
  [{ status: 399 }, false],
  [{ status: 400 }, true],
  [{ errorCode: "upstream.broken" }, true],
  [{ isGone: true }, false],
])("whether a request with %j has failed is %s", (fields, expected) => {
  expect(hasFailed(makeRequestEvent(fields))).toBe(expected);
});

it.each([
  [{ windowTokens: 9, originalTokens: 10 }, true],
  [{ windowTokens: 9, originalTokens: 9 }, false],
  [{ windowTokens: 0, originalTokens: 10 }, false],
])("whether a prompt with %j had outgrown its window is %s", (fields, expected) => {
  expect(isOverWindow(makeRequestEvent(fields))).toBe(expected);
});
