import { makeKey, makeRequestEvent, makeSession } from "@longhaul/store/testing";
import { describe, expect, it } from "vitest";
import { type AttentionFacts, findAttention, hasLostCache } from "./find-attention.ts";

const QUIET: AttentionFacts = { sessions: [], turns: [], lately: [], failures: [], openCircuits: [], keys: [] };
const find = (facts: Partial<AttentionFacts>) => findAttention({ ...QUIET, ...facts });

/** A turn with a prompt of 10,000 tokens that reads this many from the cache. */
const turn = (cacheReadTokens: number, fields = {}) =>
  makeRequestEvent({ cacheReadTokens, inputTokens: 10_000 - cacheReadTokens, cacheWriteTokens: 0, ...fields });

describe("findAttention", () => {
  it("finds nothing in quiet times", () => {
    expect(find({ sessions: [makeSession()], turns: [turn(9_000)] })).toEqual([]);
  });

  it("lists sessions from 90% of their window on", () => {
    const sessions = [0.89, 0.9, 1.2].map((share, index) =>
      makeSession({
        session: `${index}`,
        title: "Fix it",
        windowTokens: 1_000,
        sentTokens: 1_000 * share,
        lastAtMs: index,
      }),
    );
    expect(find({ sessions })).toMatchObject([
      { kind: "window", session: "2", share: 1.2, max: 1_000, title: "Fix it" },
      { kind: "window", session: "1", share: 0.9 },
    ]);
    expect(find({ sessions: [makeSession({ windowTokens: 0, sentTokens: 9 })] })).toEqual([]);
  });

  it("lists sessions whose prompt cache is no longer read", () => {
    const turns = [turn(0), turn(100), turn(9_000), turn(0, { session: "other" })];
    expect(find({ sessions: [makeSession(), makeSession({ session: "other" })], turns })).toMatchObject([
      { kind: "cache", session: "session", share: 0.9 },
    ]);
  });

  it("lists upstreams with an open circuit or several failures, and no row for the same errors", () => {
    const busy = { upstream: "a", errorCode: "upstream.busy", requests: 3, lastAtMs: 5 };
    const once = { upstream: "b", errorCode: "upstream.timeout", requests: 1, lastAtMs: 6 };
    const latest = makeRequestEvent({ id: "r1", errorMessage: "overloaded" });
    const rows = find({ lately: [busy, once], failures: [{ ...busy, latest }, once], openCircuits: ["c"] });
    expect(rows).toMatchObject([
      { kind: "upstream", upstream: "a", count: 3, errorMessage: "overloaded", requestId: "r1", isCircuitOpen: false },
      { kind: "upstream", upstream: "c", isCircuitOpen: true },
      { kind: "error", upstream: "b", errorCode: "upstream.timeout", count: 1 },
    ]);
  });

  it("lists a budget alert that was not delivered, before keys near their limits", () => {
    expect(find({ alertFailure: "the webhook answered with status 500" })).toMatchObject([
      { kind: "alert", errorMessage: "the webhook answered with status 500" },
    ]);
  });

  it("lists errors of requests with their latest message", () => {
    const latest = makeRequestEvent({ id: "r9", errorMessage: "invalid x-api-key" });
    const failures = [{ upstream: "a", errorCode: "upstream.refused", requests: 7, lastAtMs: 1, latest }];
    expect(find({ failures, lately: failures })).toMatchObject([
      { kind: "error", errorCode: "upstream.refused", count: 7, errorMessage: "invalid x-api-key", requestId: "r9" },
    ]);
  });

  it("lists keys from 80% of a spending limit on", () => {
    const key = makeKey({ id: "k1", name: "laptop", limits: { usdPerDay: 10, usdPerMonth: 100 } });
    const used = { requestsThisMinute: 0, underWay: 0, usdToday: 8, usdThisMonth: 79 };
    expect(find({ keys: [{ key, used }] })).toMatchObject([
      { kind: "key", keyId: "k1", name: "laptop", limit: "usdPerDay", share: 0.8, max: 10 },
    ]);
  });
});

describe("hasLostCache", () => {
  it.each<[string, boolean, readonly ReturnType<typeof turn>[]]>([
    ["two misses after a hit", true, [turn(0), turn(0), turn(9_000)]],
    ["two misses after a hit two turns before", true, [turn(0), turn(0), turn(0), turn(9_000)]],
    ["one miss, as after a pause", false, [turn(0), turn(9_000), turn(9_000)]],
    ["no hit before", false, [turn(0), turn(0), turn(0)]],
    ["a hit again", false, [turn(9_000), turn(0), turn(9_000)]],
    ["a new condensation", false, [turn(0, { origin: "new" }), turn(0), turn(9_000)]],
    [
      "prompts too short for a cache",
      false,
      [turn(0, { inputTokens: 500 }), turn(0, { inputTokens: 500 }), turn(9_000)],
    ],
    ["one turn", false, [turn(0)]],
  ])("for %s is %s", (_, expected, turns) => {
    expect(hasLostCache(turns)).toBe(expected);
  });
});
