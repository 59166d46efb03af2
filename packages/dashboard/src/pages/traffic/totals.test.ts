import { describe, expect, it } from "vitest";
import {
  bucketTimes,
  cacheShare,
  countReused,
  formatChange,
  hoursBefore,
  netSavedUsd,
  sentTokens,
  spentUsd,
  valuesAt,
} from "./totals.ts";

describe("countReused", () => {
  const turn = (id: string, origin: "" | "new" | "reused") => ({ id, origin });
  const condensed = (requestId: string, tokensAfter = 1) => ({
    ...{ id: requestId, requestId, atMs: 0, tenant: "", keyId: "", session: "", upstream: "", model: "", strategy: "" },
    ...{ tokensBefore: 9, tokensAfter, costUsd: 0, estimatedUsd: 0, ms: 0, report: {} },
  });
  const start = [turn("a", ""), turn("b", "new"), turn("c", "reused")];

  it("ignores references before the first condensation", () => {
    expect(countReused(start, [])).toBe(0);
    expect(countReused([...start, turn("d", "new"), turn("e", "reused"), turn("f", "reused")], [condensed("d")])).toBe(
      2,
    );
  });

  it("does not count the first turn with a summary that was written in the background", () => {
    const turns = [...start, turn("d", "reused"), turn("e", "reused"), turn("f", "reused")];
    expect(countReused(turns, [condensed("d")])).toBe(1);
  });

  it("ignores a condensation without a result", () => {
    expect(countReused([...start, turn("d", "reused"), turn("e", "reused")], [condensed("c", 9)])).toBe(0);
  });
});

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

it("computes costs, tokens and shares", () => {
  expect(netSavedUsd(totals)).toBe(2);
  expect(spentUsd(totals)).toBe(2);
  expect(sentTokens(totals)).toBe(100);
  expect(cacheShare(totals)).toBe(0.8);
});

it("returns zero when there are no requests or tokens", () => {
  expect(cacheShare(nothing)).toBe(0);
});

it.each([
  [110, 100, "10% more than the previous period"],
  [50, 100, "50% less than the previous period"],
  [100, 100, "same as the previous period"],
  [1, 0, undefined],
  [1, -1, "200% more than the previous period"],
])("formats the change to %d from %d", (now, before, text) => {
  expect(formatChange(now, before)).toBe(text);
});

it("returns the same start of a period during an hour", () => {
  const hour = 3_600_000;
  expect(hoursBefore(24, 100 * hour + 1)).toBe(77 * hour);
  expect(hoursBefore(24, 101 * hour - 1)).toBe(77 * hour);
  expect(hoursBefore(1, 100 * hour)).toBe(100 * hour);
});

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe("bucketTimes", () => {
  it("returns every hour of a period", () => {
    const times = bucketTimes({ bucket: "hour", sinceMs: HOUR_MS, untilMs: 3 * HOUR_MS + 5 });
    expect(times.map((atMs) => atMs / HOUR_MS)).toEqual([1, 2, 3]);
  });

  it("starts with the day in which the period starts", () => {
    const times = bucketTimes({ bucket: "day", sinceMs: DAY_MS + HOUR_MS, untilMs: 2 * DAY_MS + HOUR_MS });
    expect(times.map((atMs) => atMs / DAY_MS)).toEqual([1, 2]);
  });

  it("excludes a bucket that starts when the period ends", () => {
    expect(bucketTimes({ bucket: "hour", sinceMs: 0, untilMs: HOUR_MS })).toEqual([0]);
  });
});

it("returns zero for buckets without traffic", () => {
  const overTime = [
    { atMs: 9, requests: 5 },
    { atMs: 2, requests: 3 },
  ];
  expect(valuesAt([1, 2, 3], overTime, ({ requests }) => requests)).toEqual([0, 3, 0]);
});
