import { LonghaulError, type WireId } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { asError, translateError } from "./translate-error.ts";

describe("translateError", () => {
  it.each<[WireId, object]>([
    ["anthropic-messages", { type: "error", error: { type: "overloaded_error", message: "full; come back" } }],
    ["openai-chat", { error: { message: "full; come back" } }],
  ])("speaks %s, and says when to come back", (wire, body) => {
    const error = new LonghaulError("limit.overloaded", "full; come back", { retryAfterMs: 1_500 });
    const outcome = translateError(wire, error, (text) => text);
    expect([outcome.status, outcome.headers["retry-after"]]).toEqual([503, "2"]);
    expect(JSON.parse(String(outcome.body))).toMatchObject(body);
  });
});

describe("asError", () => {
  it("keeps our own errors and hides the words of all others", () => {
    const ours = new LonghaulError("route.unknown", "no");
    expect(asError(ours)).toBe(ours);
    expect(asError(new Error("secret path"))).toMatchObject({
      code: "internal.bug",
      status: 500,
      message: expect.not.stringContaining("secret"),
    });
  });
});
