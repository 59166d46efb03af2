import { LonghaulError } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { clientMessage, fallbackMessage, upstreamError, withAdvice } from "./upstream-error.ts";

describe("upstreamError", () => {
  it.each([
    [400, "upstream.refused", false],
    [401, "upstream.refused", false],
    [408, "upstream.timeout", true],
    [422, "upstream.refused", false],
    [429, "upstream.busy", true],
    [500, "upstream.broken", true],
    [503, "upstream.busy", true],
    [504, "upstream.timeout", true],
    [529, "upstream.busy", true],
  ] as const)("takes %i for %s, with the status as it was", (status, code, retryable) => {
    const error = upstreamError({ status, message: "No.", cause: {} });
    expect(error).toMatchObject({ code, status, retryable, message: "No." });
  });

  it("recognizes an overflow with any status, and returns 400 unless it was 413", () => {
    const message = "prompt is too long: 9 tokens > 8 maximum";
    expect(upstreamError({ status: 413, message, cause: {} })).toMatchObject({
      code: "request.too-large",
      status: 413,
      overflow: { actualTokens: 9, limitTokens: 8 },
    });
    expect(upstreamError({ status: 500, message, cause: {} })).toMatchObject({
      code: "request.too-large",
      status: 400,
    });
  });

  it("keeps the retry delay", () => {
    expect(upstreamError({ status: 429, message: "later", retryAfterMs: 1500, cause: {} }).retryAfterMs).toBe(1500);
  });
});

describe("fallbackMessage", () => {
  it("returns the truncated text, or names the status", () => {
    expect(fallbackMessage(502, " Bad gateway\n")).toBe("Bad gateway");
    expect(fallbackMessage(502, "x".repeat(9_000))).toHaveLength(2_000);
    expect(fallbackMessage(400, { message: "Input is too long for requested model." })).toBe(
      "Input is too long for requested model.",
    );
    expect(fallbackMessage(502, {})).toBe("the upstream returned status 502 without an error message");
  });
});

describe("fallbackMessage for an HTML page", () => {
  it.each([" <html>bad</html>\n", "<!DOCTYPE html>x", "oops <h1>502</h1>", "<?xml version='1.0'?><Error/>"])(
    "does not quote %j",
    (page) => {
      expect(fallbackMessage(502, page)).toBe("the upstream returned status 502 with an HTML page");
    },
  );
});

describe("withAdvice", () => {
  it("appends the advice to the message that clients match", () => {
    expect(withAdvice("prompt is too long", {})).toBe("prompt is too long");
    expect(withAdvice("prompt is too long", { advice: "Shorten it." })).toBe("prompt is too long. Shorten it.");
    expect(withAdvice("Too long.", { advice: "Shorten it." })).toBe("Too long. Shorten it.");
  });
});

describe("clientMessage", () => {
  it("hides only internal errors", () => {
    expect(clientMessage(new LonghaulError("internal.bug", "at /home/x"))).not.toContain("/home");
    expect(clientMessage(new LonghaulError("route.unknown", "no upstream"))).toBe("no upstream");
  });
});
