import { describe, expect, it } from "vitest";
import { bucketTimes, figuresAt } from "./time-axis.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe("bucketTimes", () => {
  it("has every hour of a span", () => {
    const times = bucketTimes({ bucket: "hour", sinceMs: HOUR_MS, untilMs: 3 * HOUR_MS + 5 });
    expect(times.map((atMs) => atMs / HOUR_MS)).toEqual([1, 2, 3]);
  });

  it("begins with the day that the span begins in", () => {
    const times = bucketTimes({ bucket: "day", sinceMs: DAY_MS + HOUR_MS, untilMs: 2 * DAY_MS + HOUR_MS });
    expect(times.map((atMs) => atMs / DAY_MS)).toEqual([1, 2]);
  });

  it("has none that begins where the span ends", () => {
    expect(bucketTimes({ bucket: "hour", sinceMs: 0, untilMs: HOUR_MS })).toEqual([0]);
  });
});

it("a figure is zero where nothing happened", () => {
  const overTime = [
    { atMs: 9, requests: 5 },
    { atMs: 2, requests: 3 },
  ];
  expect(figuresAt([1, 2, 3], overTime, ({ requests }) => requests)).toEqual([0, 3, 0]);
});
