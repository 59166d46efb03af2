import { describe, expect, it } from "vitest";
import { makeChat, openFitBench } from "../testing/index.ts";
import { scopeOf } from "./scope.ts";

const COMPACTING = { model: "claude-opus-4-6", window: 200_000 };
const body = (exchanges: number, more = {}) => makeChat(exchanges, { model: COMPACTING.model, ...more });

describe("openFitRequest", () => {
  it("uses the learned ratio and window", async () => {
    const bench = await openFitBench();
    const before = await bench.fitRequest(makeChat(3));
    bench.state.learned.count(bench.destination, { estimated: 1_000, reported: 1_100, hasMedia: false });
    bench.state.learned.overflow(before.call, bench.destination, 3_000);
    const after = await bench.fitRequest(makeChat(3));
    expect(after.ratio).toBeCloseTo(before.ratio * 1.1);
    expect(after.history.tokens).toBeGreaterThan(before.history.tokens);
    expect([before.limits.windowTokens, after.limits.windowTokens]).toEqual([4_000, 3_000]);
  });

  it("is limited by the pressure of a refusal", async () => {
    const bench = await openFitBench();
    const { limits } = await bench.fitRequest(makeChat(3), {}, { maxTokens: 500 });
    expect(limits).toMatchObject({ budgetTokens: 500, triggerTokens: 500, rawTokens: 500, targetTokens: 450 });
  });

  it("has the prompt for work on another thread", async () => {
    const bench = await openFitBench({ model: "gemini-2.5-flash", wire: "gemini" });
    const contents = [{ role: "user", parts: [{ text: "Hello." }] }];
    const { prompt, call, scope } = await bench.fitRequest({ contents });
    expect(prompt).toMatchObject({ wire: "gemini", line: { model: "gemini-2.5-flash" }, vendor: "google" });
    expect(prompt.body).toBe(call.body);
    expect(scope).toBe(scopeOf(bench.destination, call.caller.ownerOf({})));
  });

  it.each([
    ["lossless", "auto", true],
    ["smart", "auto", true],
    ["middle-out", "auto", false],
    ["middle-out", "on", true],
    ["smart", "off", false],
  ])("makes references before the trigger with %s set to %s: %s", async (strategy, references, expected) => {
    const bench = await openFitBench({ context: { strategy, references } });
    expect((await bench.fitRequest(makeChat(1))).refersEarly).toBe(expected);
  });
});

describe("a model that compacts at a threshold", () => {
  it("gets its requests unchanged up to its own window", async () => {
    const bench = await openFitBench({
      ...COMPACTING,
      config: { compaction: { triggerTokens: 50_000, onDemand: false } },
    });
    const { compaction, limits } = await bench.fitRequest(body(300));
    expect(compaction.plan.kind).toBe("edit");
    expect(limits).toMatchObject({
      windowTokens: 200_000,
      budgetTokens: 200_000,
      triggerTokens: 200_000,
      rawTokens: 50_000,
    });
  });

  it("is not asked while the conversation is far from the threshold", async () => {
    const bench = await openFitBench({
      ...COMPACTING,
      config: { compaction: { triggerTokens: 50_000, onDemand: false } },
    });
    const { compaction, limits } = await bench.fitRequest(body(3));
    expect(compaction).toMatchObject({ plan: { kind: "none" }, strips: false });
    expect(limits.budgetTokens).toBeLessThan(200_000);
  });

  it("is left to a client that requests compaction itself", async () => {
    const bench = await openFitBench(COMPACTING);
    const edits = { context_management: { edits: [{ type: "compact_20260112" }] } };
    const { compaction, limits } = await bench.fitRequest(body(3, edits));
    expect(compaction.plan).toMatchObject({ kind: "client" });
    expect(limits.rawTokens).toBe(200_000);
  });
});
