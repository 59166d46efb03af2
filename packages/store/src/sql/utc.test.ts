import { expect, it } from "vitest";
import { startOfDay, startOfHour, startOfMinute, startOfMonth } from "./utc.ts";

const AT_MS = Date.parse("2028-02-29T23:59:59.999Z");

it("returns the start of a minute, an hour, a day and a month", () => {
  expect([startOfMinute(AT_MS), startOfHour(AT_MS), startOfDay(AT_MS), startOfMonth(AT_MS)].map(toIso)).toEqual([
    "2028-02-29T23:59:00.000Z",
    "2028-02-29T23:00:00.000Z",
    "2028-02-29T00:00:00.000Z",
    "2028-02-01T00:00:00.000Z",
  ]);
});

it("includes the first moment of each", () => {
  const nextMs = AT_MS + 1;
  expect([startOfMinute, startOfHour, startOfDay, startOfMonth].map((begin) => begin(nextMs))).toEqual([
    nextMs,
    nextMs,
    nextMs,
    nextMs,
  ]);
});

it("returns the month after December", () => {
  expect(toIso(startOfMonth(Date.parse("2027-12-31T12:00:00Z"), 1))).toBe("2028-01-01T00:00:00.000Z");
});

function toIso(atMs: number): string {
  return new Date(atMs).toISOString();
}
