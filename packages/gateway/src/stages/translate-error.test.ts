import { LonghaulError, type WireId } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { errorOutcome } from "../http/outcome.ts";
import { asError } from "./translate-error.ts";

describe("errorOutcome", () => {
  it.each<[WireId, object]>([
    ["anthropic-messages", { type: "error", error: { type: "overloaded_error", message: "full; come back" } }],
    ["openai-chat", { error: { message: "full; come back" } }],
  ])("writes %s with a retry-after header", (wire, body) => {
    const error = new LonghaulError("limit.overloaded", "full; come back", { retryAfterMs: 1_500 });
    const outcome = errorOutcome(wire, error, (text) => text);
    expect([outcome.status, outcome.headers["retry-after"]]).toEqual([503, "2"]);
    expect(JSON.parse(String(outcome.body))).toMatchObject(body);
  });
});

describe("asError", () => {
  it("keeps our own errors and hides the message of all others", () => {
    const ours = new LonghaulError("route.unknown", "no");
    expect(asError(ours)).toBe(ours);
    expect(asError(new Error("secret path"))).toMatchObject({
      code: "internal.bug",
      status: 500,
      message: expect.not.stringContaining("secret"),
    });
  });
});
