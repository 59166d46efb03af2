import { expect, it } from "vitest";
import { addedMsEach, cacheShare, compared, hoursBefore, netSavedUsd, sentTokens, spentUsd } from "./sums.ts";

const totals = {
  atMs: 0,
  group: "",
  requests: 4,
  errors: 0,
  fallbacks: 0,
  overWindow: 0,
  inputTokens: 10,
  cacheReadTokens: 80,
  cacheWriteTokens: 10,
  outputTokens: 5,
  savedTokens: 0,
  costUsd: 1,
  savedUsd: 3,
  addedMs: 10,
  condensations: 1,
  condensingUsd: 1,
};
const nothing = { ...totals, requests: 0, inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

it("sums up", () => {
  expect(netSavedUsd(totals)).toBe(2);
  expect(spentUsd(totals)).toBe(2);
  expect(sentTokens(totals)).toBe(100);
  expect(cacheShare(totals)).toBe(0.8);
  expect(addedMsEach(totals)).toBe(2.5);
});

it("divides by nothing without complaint", () => {
  expect(cacheShare(nothing)).toBe(0);
  expect(addedMsEach(nothing)).toBe(0);
});

it.each([
  [110, 100, "10 % more than before"],
  [50, 100, "50 % less than before"],
  [100, 100, "as before"],
  [1, 0, undefined],
  [1, -1, "200 % more than before"],
])("compares %d with %d", (now, before, words) => {
  expect(compared(now, before)).toBe(words);
});

it("asks for the same until the hour is over", () => {
  const hour = 3_600_000;
  expect(hoursBefore(24, 100 * hour + 1)).toBe(77 * hour);
  expect(hoursBefore(24, 101 * hour - 1)).toBe(77 * hour);
  expect(hoursBefore(1, 100 * hour)).toBe(100 * hour);
});
