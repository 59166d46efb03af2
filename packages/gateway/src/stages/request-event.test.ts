import { LonghaulError, NO_USAGE, promptTokens, type Usage } from "@longhaul/conversation";
import { costOf, findModel, loadCatalog, type Model } from "@longhaul/models";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openRecord, type RequestRecord } from "../request/request-record.ts";
import { type Condensing, endedRequest, savedUsd } from "./request-event.ts";

const endpoint = { wire: "anthropic-messages", action: "generate", method: "POST" } as const;
const usage = {
  inputTokens: 100,
  cacheReadTokens: 40_000,
  cacheWriteTokens: 900,
  outputTokens: 70,
  reasoningTokens: 7,
};

function makeRecord(fields: Partial<RequestRecord> = {}): RequestRecord {
  return { ...openRecord("lh_1", "00-aa-bb-01"), ...fields };
}

const match = findModel(loadCatalog(), "claude-opus-4-6");
const ending = {
  endpoint,
  status: 200,
  ms: 1_000.4,
  usage,
  isGone: false,
  redact: (text: string) => text.replace("sk-hush", "[redacted]"),
};

const facts = makeRecord({
  atMs: 5_000,
  identity: { tenant: "team", keyId: "key_1" },
  model: "claude-opus-4-6",
  sentTo: { upstream: "up", model: "claude-opus-4-6", match },
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
});

describe("endedRequest", () => {
  it("makes the event of a condensed request", () => {
    const { prices } = match.model;
    if (prices === undefined) throw new Error("no prices");
    const { event, platform, family } = endedRequest(ending, facts);
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
      copiedMarks: 0,
      warnings: ["sampling.seed"],
      anatomy: { text: 41_000 },
    });
  });

  it("leaves the fields empty for a request that reached no upstream", () => {
    const error = new LonghaulError("route.unknown", "no upstream");
    const ended = endedRequest({ ...ending, usage: undefined, status: 404 }, makeRecord({ error }));
    const { event, platform, family } = ended;
    expect([platform, family]).toEqual(["", ""]);
    expect(event).toMatchObject({ tenant: "", upstream: "", attempts: 0, costUsd: 0, savedUsd: 0, anatomy: {} });
    expect(event).toMatchObject({ errorCode: "route.unknown", status: 404, inputTokens: 0, session: "", origin: "" });
  });

  it("counts the whole time as added without an upstream call, and none if clocks disagree", () => {
    expect(endedRequest(ending, makeRecord({ receivedMs: 0.4 })).event.addedMs).toBe(1_000);
    expect(endedRequest(ending, makeRecord({ firstByteMs: 5, waitedMs: 6 })).event.addedMs).toBe(0);
  });

  it("leaves the family empty for a model that the catalog does not list", () => {
    const own = findModel(loadCatalog(), "my-own-model-17");
    const sentTo = { upstream: "up", model: "my-own-model-17", match: own };
    expect(endedRequest(ending, { ...facts, sentTo }).family).toBe("");
  });

  it("shortens names and replaces characters that a database rejects", () => {
    expect(endedRequest(ending, makeRecord({ model: "m".repeat(5_000) })).event.model).toHaveLength(200);
    expect(endedRequest(ending, makeRecord({ model: "a\0b" })).event.model).toBe("a\uFFFDb");
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
  it("prices the removed part as a cache read if the rest was one", () => {
    const usage = used({ cacheReadTokens: 48_000, cacheWriteTokens: 2_000 });
    expect(savedUsd(usage, model, condensing())).toBeCloseTo((100_000 * 0.3) / MILLION, 9);
  });

  it("prices it as a cache write if the cache was cold, and as plain input without a cache", () => {
    expect(savedUsd(used({ cacheWriteTokens: 50_000 }), model, condensing())).toBeCloseTo(0.375, 9);
    expect(savedUsd(used({ inputTokens: 50_000 }), model, condensing())).toBeCloseTo(0.3, 9);
    const hour = used({ cacheWriteTokens: 50_000, cacheWriteHourTokens: 50_000 });
    expect(savedUsd(hour, model, condensing())).toBeCloseTo(0.6, 9);
  });

  it("is negative if a condensation has lost the cache and not paid for it yet", () => {
    const usage = used({ cacheWriteTokens: 50_000 });
    const saved = savedUsd(usage, model, condensing({ origin: "new", warmTokens: 149_000 }));
    expect(saved).toBeCloseTo((149_000 * 0.3 + 1_000 * 3.75 - 50_000 * 3.75) / MILLION, 9);
    expect(saved).toBeLessThan(0);
  });

  it("assumes no cache if the client has none", () => {
    const usage = used({ inputTokens: 50_000 });
    expect(savedUsd(usage, model, condensing({ origin: "new", warmTokens: 149_000 }))).toBeCloseTo(0.3, 9);
    const automatic: Model = { ...model, accounting: "inclusive" };
    expect(savedUsd(usage, automatic, condensing({ origin: "new", warmTokens: 149_000 }))).toBeLessThan(0.3);
  });

  it("counts no more than the window holds", () => {
    const usage = used({ inputTokens: 50_000 });
    const huge = condensing({ originalTokens: 5_000_000 });
    expect(savedUsd(usage, model, huge)).toBeCloseTo((150_000 * 3) / MILLION, 9);
  });

  it("returns 0 if prices are unknown", () => {
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
  const removedOf = ({ originalTokens, windowTokens, sentTokens }: Condensing) =>
    Math.max(0, Math.min(originalTokens, windowTokens) - sentTokens);

  it("lies between 0 and the highest price of the removed part if the cache was kept", () => {
    fc.assert(
      fc.property(anyUsage, anySizes, (usage, sizes) => {
        const reused: Condensing = { ...sizes, origin: "reused" };
        const saved = savedUsd(usage, model, reused);
        const removed = removedOf(reused);
        expect(saved).toBeGreaterThanOrEqual(-1e-9);
        expect(saved).toBeLessThanOrEqual((removed * PRICES.cacheWrite) / MILLION + 1e-9);
        if (removed === 0) expect(saved).toBeCloseTo(0, 9);
      }),
    );
  });

  it("never loses more than the prompt's cost, and never gains more than the whole prompt uncached", () => {
    fc.assert(
      fc.property(anyUsage, anySizes, (usage, sizes) => {
        const made: Condensing = { ...sizes, origin: "new" };
        const saved = savedUsd(usage, model, made);
        const prompt = costOf({ ...usage, outputTokens: 0 }, PRICES);
        const most = (promptTokens(usage) + removedOf(made)) * PRICES.cacheWrite;
        expect(saved).toBeGreaterThanOrEqual(-prompt - 1e-9);
        expect(saved + prompt).toBeLessThanOrEqual(most / MILLION + 1e-9);
      }),
    );
  });

  it("grows with the removed part", () => {
    fc.assert(
      fc.property(anyUsage, anySizes, fc.constantFrom("new" as const, "reused" as const), (usage, sizes, origin) => {
        const less = { ...sizes, origin };
        const more = { ...less, originalTokens: less.originalTokens + 1_000 };
        expect(savedUsd(usage, model, more)).toBeGreaterThanOrEqual(savedUsd(usage, model, less) - 1e-9);
      }),
    );
  });
});
