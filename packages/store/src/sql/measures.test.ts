import { expect, it } from "vitest";
import { makeCondensationEvent, makeRequestEvent, makeTotals } from "../testing/make.ts";
import { measuresOfCondensation, measuresOfRequest, NOTHING, perMeasure } from "./measures.ts";

it("has every measure of the totals once", () => {
  const { atMs: _, group: __, ...totals } = makeTotals();
  expect(perMeasure((name) => name)).toEqual(Object.fromEntries(Object.keys(totals).map((name) => [name, name])));
});

it("measures a request", () => {
  const { atMs: _, group: __, ...totals } = makeTotals();
  expect(measuresOfRequest(makeRequestEvent())).toEqual(totals);
});

it("saves no tokens of what was never sent", () => {
  expect(measuresOfRequest(makeRequestEvent({ sentTokens: 0 })).savedTokens).toBe(0);
  expect(measuresOfRequest(makeRequestEvent({ sentTokens: 412 })).savedTokens).toBe(9_000);
});

it("measures a condensation", () => {
  expect(measuresOfCondensation(makeCondensationEvent())).toEqual({
    ...NOTHING,
    condensations: 1,
    condensingUsd: 0.125,
  });
});
