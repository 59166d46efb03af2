import { describe, expect, it } from "vitest";
import { callRecord } from "./call.ts";

describe("callRecord", () => {
  it("holds model, usage, cost and the time of the reply", () => {
    const usage = { input: 3, output: 7, cacheRead: 100, cacheWrite: 20, cost: { input: 0.1, total: 0.4 } };
    const message = { model: "claude-opus-4-5", usage, stopReason: "toolUse", timestamp: 1_000 };
    expect(callRecord({ timestamp: "1970-01-01T00:00:09.000Z", message })).toEqual({
      model: "claude-opus-4-5",
      usage: { inputTokens: 3, cacheReadTokens: 100, cacheWriteTokens: 20, outputTokens: 7 },
      costUsd: 0.4,
      timestampMs: 9_000,
      outcome: "finished",
    });
  });

  it.each([
    ["aborted", "aborted"],
    ["error", "failed"],
    ["length", "finished"],
  ])("takes the stop reason %s for %s", (stopReason, outcome) => {
    expect(callRecord({ message: { stopReason } })).toEqual({ outcome });
  });
});
