import { expect, it } from "vitest";
import { freeAtMs, limitRefusal } from "./limit-refusal.ts";

const nowMs = Date.parse("2026-12-31T23:58:30.500Z");
const limits = { requestsPerMinute: 60, concurrent: 4, usdPerDay: 10, usdPerMonth: 100.5 };
const used = { requestsThisMinute: 60, underWay: 4, usdToday: 10.016, usdThisMonth: 100.5 };

it.each([
  [
    "requestsPerMinute",
    "has made 60 of its 60 requests per minute (requestsPerMinute); try again after 2026-12-31T23:59:00.000Z",
    29_500,
  ],
  ["concurrent", "has 4 requests under way, of 4 at once (concurrent); try again when one of them is over", 1_000],
  ["usdPerDay", "has spent $10.02 of its $10.00 per day (usdPerDay); try again after 2027-01-01T00:00:00.000Z", 89_500],
  [
    "usdPerMonth",
    "has spent $100.50 of its $100.50 per month (usdPerMonth); try again after 2027-01-01T00:00:00.000Z",
    89_500,
  ],
] as const)("says of %s what was used and when it is free again", (limit, words, retryAfterMs) => {
  expect(limitRefusal({ name: "ci", limits }, { limit, used, nowMs })).toMatchObject({
    code: "limit.exceeded",
    status: 429,
    message: `the key "ci" ${words}`,
    retryAfterMs,
  });
});

it("counts months of any length", () => {
  expect(freeAtMs("usdPerMonth", Date.parse("2028-02-01T00:00:00Z"))).toBe(Date.parse("2028-03-01T00:00:00Z"));
});
