import { LonghaulError } from "@longhaul/conversation";
import { codecOf } from "@longhaul/wire";
import { describe, expect, it } from "vitest";
import { isLongContextRefusal, removedBetas } from "./removed-betas.ts";

const LONG = "context-1m-2025-08-07";

it.each([
  ["nothing by default", {}, false, []],
  ["what the credential cannot use", { blockedBetas: ["a"] }, false, ["a"]],
  ["the long window where a short one is set", { windowTokens: 200_000 }, false, [LONG]],
  ["nothing where a longer one is set", { windowTokens: 200_001 }, false, []],
  ["the long window after it was refused", { blockedBetas: ["a"], windowTokens: 1_000_000 }, true, ["a", LONG]],
  ["nothing twice", { blockedBetas: [LONG], windowTokens: 1 }, true, [LONG]],
])("removes %s", (_, upstream, isRefused, expected) => {
  expect(removedBetas(upstream, isRefused)).toEqual(expected);
});

describe("isLongContextRefusal", () => {
  const refusal = (status: number, type: string, message: string) =>
    codecOf("anthropic-messages").decodeError(status, { type: "error", error: { type, message } });

  it("knows the API's words", () => {
    const subscription = "The long context beta is not yet available for this subscription.";
    expect(isLongContextRefusal(refusal(400, "invalid_request_error", subscription))).toBe(true);
    const usage = "Extra usage is required for long context requests.";
    expect(isLongContextRefusal(refusal(429, "rate_limit_error", usage))).toBe(true);
  });

  it.each([
    [400, "prompt is too long: 204826 tokens > 200000 maximum"],
    [400, "context_management: Extra inputs are not permitted"],
    [429, "This request would exceed your account's rate limit. Please try again later."],
    [500, "The long context beta is not yet available for this subscription."],
  ])("takes %i %s for something else", (status, message) => {
    expect(isLongContextRefusal(refusal(status, "invalid_request_error", message))).toBe(false);
    expect(isLongContextRefusal(new LonghaulError("internal.bug", message))).toBe(false);
  });
});
