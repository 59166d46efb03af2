import { expect, it } from "vitest";
import { freeAtMs, limitHeaders, limitRefusal } from "./limits.ts";

const nowMs = Date.parse("2026-12-31T23:58:30.500Z");
const limits = { requestsPerMinute: 60, concurrent: 4, usdPerDay: 10, usdPerMonth: 100.5 };
const used = { requestsThisMinute: 60, underWay: 4, usdToday: 10.016, usdThisMonth: 100.5 };

it.each([
  ["requestsPerMinute", "60 requests per minute (requestsPerMinute); try again after 2026-12-31T23:59:00.000Z", 29_500],
  ["concurrent", "4 concurrent requests (concurrent); try again when a request has finished", 1_000],
  ["usdPerDay", "$10.00 per day, with $10.02 spent (usdPerDay); try again after 2027-01-01T00:00:00.000Z", 89_500],
  [
    "usdPerMonth",
    "$100.50 per month, with $100.50 spent (usdPerMonth); try again after 2027-01-01T00:00:00.000Z",
    89_500,
  ],
] as const)("reports the use of %s and when it is free again", (limit, words, retryAfterMs) => {
  expect(limitRefusal({ name: "ci", limits }, { limit, used, nowMs })).toMatchObject({
    code: "limit.exceeded",
    status: 429,
    message: `API key "ci" has reached its limit of ${words}`,
    retryAfterMs,
  });
});

it("restarts monthly limits on the first of the next month", () => {
  expect(freeAtMs("usdPerMonth", Date.parse("2028-02-01T00:00:00Z"))).toBe(Date.parse("2028-03-01T00:00:00Z"));
});

const counted = {
  used: { requestsThisMinute: 3, underWay: 1, usdToday: 0, usdThisMonth: 0 },
  nowMs: Date.parse("2026-05-01T10:00:47.200Z"),
};
const limited = { limits: { requestsPerMinute: 60 } };

it("writes Anthropic's rate limit headers", () => {
  expect(limitHeaders("anthropic-messages", limited, counted)).toEqual({
    "anthropic-ratelimit-requests-limit": "60",
    "anthropic-ratelimit-requests-remaining": "57",
    "anthropic-ratelimit-requests-reset": "2026-05-01T10:01:00.000Z",
  });
});

it.each(["openai-chat", "openai-responses"] as const)("writes OpenAI's rate limit headers for %s", (wire) => {
  expect(limitHeaders(wire, limited, counted)).toEqual({
    "x-ratelimit-limit-requests": "60",
    "x-ratelimit-remaining-requests": "57",
    "x-ratelimit-reset-requests": "13s",
  });
});

it("writes no headers for Gemini, or without a request limit", () => {
  expect(limitHeaders("gemini", limited, counted)).toEqual({});
  expect(limitHeaders("openai-chat", { limits: { usdPerDay: 1 } }, counted)).toEqual({});
});
