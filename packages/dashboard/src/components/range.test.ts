import { describe, expect, it } from "vitest";
import { rangeFilter, rangeIn, rangeQuery } from "./range.tsx";

const HOUR_MS = 3_600_000;
const NOW_MS = 1_000 * HOUR_MS + 5;

describe("rangeIn", () => {
  it("reads a period up to now, from a full hour on", () => {
    expect(rangeIn({ period: "day" }, "week", NOW_MS)).toEqual({ period: "day", sinceMs: 977 * HOUR_MS });
    expect(rangeIn({}, "hour", NOW_MS)).toEqual({ period: "hour", sinceMs: 1_000 * HOUR_MS });
    expect(rangeIn({ period: "constructor" }, "all", NOW_MS)).toEqual({ period: "all" });
  });

  it("reads absolute times, which the address keeps", () => {
    const address = { from: "2026-11-01T00:00Z", to: "2026-11-08T12:30Z" };
    const range = rangeIn(address, "day", NOW_MS);
    expect(range).toEqual({
      period: "custom",
      sinceMs: Date.UTC(2026, 10, 1),
      untilMs: Date.UTC(2026, 10, 8, 12, 30),
    });
    expect(rangeQuery(range)).toEqual(address);
    expect(rangeFilter(range)).toEqual({ sinceMs: `${range.sinceMs}`, untilMs: `${range.untilMs}` });
  });

  it("reads a range with one end", () => {
    const range = rangeIn({ from: "2026-11-01T00:00Z", to: "soon" }, "day", NOW_MS);
    expect(range).toEqual({ period: "custom", sinceMs: Date.UTC(2026, 10, 1) });
    expect(rangeQuery(range)).toEqual({ from: "2026-11-01T00:00Z" });
  });
});

it("writes periods by name and all times as nothing", () => {
  expect(rangeQuery({ period: "week", sinceMs: 7 })).toEqual({ period: "week" });
  expect(rangeQuery({ period: "all" })).toEqual({});
});
