import { LonghaulError, NO_USAGE, promptTokens, type Usage } from "@longhaul/conversation";
import { costOf, findModel, loadCatalog, type Model } from "@longhaul/models";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Notes } from "../record.ts";
import { type Condensing, type Ending, endedRequest, savedUsd } from "./request-event.ts";

const served = findModel(loadCatalog(), "claude-opus-4-6");
const usage = {
  inputTokens: 100,
  cacheReadTokens: 40_000,
  cacheWriteTokens: 900,
  outputTokens: 70,
  reasoningTokens: 7,
};

function ending(fields: Partial<Ending> = {}): Ending {
  return {
    id: "lh_1",
    endpoint: { wire: "anthropic-messages", action: "generate", method: "POST" },
    atMs: 5_000,
    status: 200,
    ms: 1_000.4,
    usage,
    redact: (text) => text.replace("sk-hush", "[redacted]"),
    ...fields,
  };
}

const notes: Notes = {
  identity: { tenant: "team", keyId: "key_1" },
  model: "claude-opus-4-6",
  sentAs: "claude-opus-4-6",
  upstream: "up",
  served,
  attempts: 2,
  receivedMs: 10,
  waitedMs: 380,
  firstByteMs: 400,
  warnings: [{ feature: "sampling.seed", action: "dropped", message: "hush", count: 1 }],
  sized: {
    session: "talk sk-hush",
    parent: "main sk-hush",
    windowTokens: 200_000,
    originalTokens: 120_000,
    sentTokens: 41_000,
    warmTokens: 0,
    anatomy: () => ({ text: 41_000 }),
  },
  condensed: { originalTokens: 120_000, sentTokens: 41_000, strategy: "native", origin: "reused" },
};

describe("endedRequest", () => {
  it("tells a request's figures", () => {
    const { prices } = served.model;
    if (prices === undefined) throw new Error("no prices");
    const { event, platform, family } = endedRequest(ending(), notes);
    expect([platform, family]).toEqual(["anthropic", "claude-opus-4-6"]);
    expect(event).toEqual({
      id: "lh_1",
      atMs: 5_000,
      tenant: "team",
      keyId: "key_1",
      session: "talk [redacted]",
      parent: "main [redacted]",
      wire: "anthropic-messages",
      action: "generate",
      model: "claude-opus-4-6",
      sentAs: "claude-opus-4-6",
      upstream: "up",
      status: 200,
      errorCode: "",
      isGone: false,
      ms: 1_000,
      firstByteMs: 400,
      addedMs: 10,
      attempts: 2,
      ...usage,
      windowTokens: 200_000,
      originalTokens: 120_000,
      sentTokens: 41_000,
      strategy: "native",
      origin: "reused",
      costUsd: costOf(usage, prices),
      savedUsd: expect.closeTo((79_000 * prices.cacheRead) / 1_000_000, 9),
      warnings: ["sampling.seed"],
      anatomy: { text: 41_000 },
    });
  });

  it("has nothing to tell of a request that came nowhere", () => {
    const error = new LonghaulError("route.unknown", "no upstream");
    const { event, platform, family } = endedRequest(ending({ usage: undefined, status: 404 }), { error });
    expect([platform, family]).toEqual(["", ""]);
    expect(event).toMatchObject({ tenant: "", upstream: "", attempts: 0, costUsd: 0, savedUsd: 0, anatomy: {} });
    expect(event).toMatchObject({ errorCode: "route.unknown", status: 404, inputTokens: 0, session: "", origin: "" });
  });

  it("counts all of the time as added where no upstream was asked, and none where clocks disagree", () => {
    expect(endedRequest(ending(), { receivedMs: 0.4 }).event.addedMs).toBe(1_000);
    expect(endedRequest(ending(), { firstByteMs: 5, waitedMs: 6 }).event.addedMs).toBe(0);
  });

  it("takes no client's word for a family of models", () => {
    const made = findModel(loadCatalog(), "my-own-model-17");
    expect(endedRequest(ending(), { ...notes, served: made }).family).toBe("");
  });

  it("keeps names short, and such that every database takes them", () => {
    expect(endedRequest(ending(), { model: "m".repeat(5_000) }).event.model).toHaveLength(200);
    expect(endedRequest(ending(), { model: "a\0b" }).event.model).toBe("a\uFFFDb");
  });
});

const PRICES = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75, cacheWriteHour: 6, tiers: [] };
const model: Model = {
  ...findModel(loadCatalog(), "claude-sonnet-4-5").model,
  prices: PRICES,
  accounting: "exclusive",
};
const MILLION = 1_000_000;

function condensing(fields: Partial<Condensing> = {}): Condensing {
  return {
    originalTokens: 150_000,
    sentTokens: 50_000,
    windowTokens: 200_000,
    warmTokens: 0,
    origin: "reused",
    ...fields,
  };
}

const used = (fields: Partial<Usage>): Usage => ({ ...NO_USAGE, outputTokens: 500, ...fields });

describe("savedUsd", () => {
  it("counts what was left out as read from the cache, where the rest was", () => {
    const usage = used({ cacheReadTokens: 48_000, cacheWriteTokens: 2_000 });
    expect(savedUsd(usage, model, condensing())).toBeCloseTo((100_000 * 0.3) / MILLION, 9);
  });

  it("counts it as written to the cache where that was cold, and as plain input where there is none", () => {
    expect(savedUsd(used({ cacheWriteTokens: 50_000 }), model, condensing())).toBeCloseTo(0.375, 9);
    expect(savedUsd(used({ inputTokens: 50_000 }), model, condensing())).toBeCloseTo(0.3, 9);
    const hour = used({ cacheWriteTokens: 50_000, cacheWriteHourTokens: 50_000 });
    expect(savedUsd(hour, model, condensing())).toBeCloseTo(0.6, 9);
  });

  it("is negative where a condensation has cost the cache and not paid for it yet", () => {
    const usage = used({ cacheWriteTokens: 50_000 });
    const saved = savedUsd(usage, model, condensing({ origin: "new", warmTokens: 149_000 }));
    expect(saved).toBeCloseTo((149_000 * 0.3 + 1_000 * 3.75 - 50_000 * 3.75) / MILLION, 9);
    expect(saved).toBeLessThan(0);
  });

  it("takes no cache for granted where the client has none", () => {
    const usage = used({ inputTokens: 50_000 });
    expect(savedUsd(usage, model, condensing({ origin: "new", warmTokens: 149_000 }))).toBeCloseTo(0.3, 9);
    const automatic: Model = { ...model, accounting: "inclusive" };
    expect(savedUsd(usage, automatic, condensing({ origin: "new", warmTokens: 149_000 }))).toBeLessThan(0.3);
  });

  it("counts no more than the window would have taken", () => {
    const usage = used({ inputTokens: 50_000 });
    const huge = condensing({ originalTokens: 5_000_000 });
    expect(savedUsd(usage, model, huge)).toBeCloseTo((150_000 * 3) / MILLION, 9);
  });

  it("says nothing where no prices are known", () => {
    const { prices: _, ...unpriced } = model;
    expect(savedUsd(used({ inputTokens: 9 }), unpriced, condensing())).toBe(0);
  });

  const count = fc.nat({ max: 300_000 });
  const anyUsage = fc.record({
    inputTokens: count,
    cacheReadTokens: count,
    cacheWriteTokens: count,
    outputTokens: count,
  });
  const anySizes = fc
    .record({ originalTokens: count, sentTokens: count, windowTokens: count, warmTokens: count })
    .map((sizes) => ({ ...sizes, sentTokens: Math.min(sizes.sentTokens, sizes.originalTokens) }));
  const goneOf = ({ originalTokens, windowTokens, sentTokens }: Condensing) =>
    Math.max(0, Math.min(originalTokens, windowTokens) - sentTokens);

  it("lies between nothing and the dearest price of what was left out, where the cache was kept", () => {
    fc.assert(
      fc.property(anyUsage, anySizes, (usage, sizes) => {
        const reused: Condensing = { ...sizes, origin: "reused" };
        const saved = savedUsd(usage, model, reused);
        const gone = goneOf(reused);
        expect(saved).toBeGreaterThanOrEqual(-1e-9);
        expect(saved).toBeLessThanOrEqual((gone * PRICES.cacheWrite) / MILLION + 1e-9);
        if (gone === 0) expect(saved).toBeCloseTo(0, 9);
      }),
    );
  });

  it("never loses more than the prompt cost, and never gains more than all of it fresh would have", () => {
    fc.assert(
      fc.property(anyUsage, anySizes, (usage, sizes) => {
        const made: Condensing = { ...sizes, origin: "new" };
        const saved = savedUsd(usage, model, made);
        const prompt = costOf({ ...usage, outputTokens: 0 }, PRICES);
        const most = (promptTokens(usage) + goneOf(made)) * PRICES.cacheWrite;
        expect(saved).toBeGreaterThanOrEqual(-prompt - 1e-9);
        expect(saved + prompt).toBeLessThanOrEqual(most / MILLION + 1e-9);
      }),
    );
  });

  it("grows with what was left out", () => {
    fc.assert(
      fc.property(anyUsage, anySizes, fc.constantFrom("new" as const, "reused" as const), (usage, sizes, origin) => {
        const less = { ...sizes, origin };
        const more = { ...less, originalTokens: less.originalTokens + 1_000 };
        expect(savedUsd(usage, model, more)).toBeGreaterThanOrEqual(savedUsd(usage, model, less) - 1e-9);
      }),
    );
  });
});
