import { expect, it } from "vitest";
import { limitHeaders } from "./limit-headers.ts";

const used = { requestsThisMinute: 3, underWay: 1, usdToday: 0, usdThisMonth: 0 };
const counted = { used, nowMs: Date.parse("2026-05-01T10:00:47.200Z") };
const limited = { limits: { requestsPerMinute: 60 } };

it("says what is left in the words of Anthropic's clients", () => {
  expect(limitHeaders("anthropic-messages", limited, counted)).toEqual({
    "anthropic-ratelimit-requests-limit": "60",
    "anthropic-ratelimit-requests-remaining": "57",
    "anthropic-ratelimit-requests-reset": "2026-05-01T10:01:00.000Z",
  });
});

it.each(["openai-chat", "openai-responses"] as const)("says what is left in the words of clients of %s", (wire) => {
  expect(limitHeaders(wire, limited, counted)).toEqual({
    "x-ratelimit-limit-requests": "60",
    "x-ratelimit-remaining-requests": "57",
    "x-ratelimit-reset-requests": "13s",
  });
});

it("says nothing where nobody looks, or nothing is limited", () => {
  expect(limitHeaders("gemini", limited, counted)).toEqual({});
  expect(limitHeaders("openai-chat", { limits: { usdPerDay: 1 } }, counted)).toEqual({});
});
