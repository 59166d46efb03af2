import type { TotalsAnswer } from "@longhaul/settings";
import { expect, it } from "vitest";
import { everyBucket } from "./time-axis.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

function totalsAt(atMs: number): TotalsAnswer {
  const [zero] = everyBucket({ bucket: "hour", sinceMs: atMs, untilMs: atMs + 1, overTime: [] });
  if (zero === undefined) throw new Error("a span has at least one bucket");
  return { ...zero, requests: 3 };
}

it("fills the hours in which nothing happened with zeros", () => {
  const overTime = [totalsAt(2 * HOUR_MS)];
  const filled = everyBucket({ bucket: "hour", sinceMs: HOUR_MS, untilMs: 3 * HOUR_MS + 5, overTime });
  expect(filled.map(({ atMs, requests }) => [atMs / HOUR_MS, requests])).toEqual([
    [1, 0],
    [2, 3],
    [3, 0],
  ]);
});

it("begins with the day that the span begins in", () => {
  const filled = everyBucket({ bucket: "day", sinceMs: DAY_MS + HOUR_MS, untilMs: 2 * DAY_MS + HOUR_MS, overTime: [] });
  expect(filled.map(({ atMs }) => atMs / DAY_MS)).toEqual([1, 2]);
});

it("has no bucket that begins where the span ends", () => {
  const filled = everyBucket({ bucket: "hour", sinceMs: 0, untilMs: HOUR_MS, overTime: [] });
  expect(filled.map(({ atMs }) => atMs)).toEqual([0]);
});
