import { type Breakable, makeBreakable } from "@longhaul/fit/testing";
import { type KeyLimits, openStore, type Store } from "@longhaul/store";
import { makeCondensationEvent } from "@longhaul/store/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeFinished } from "../testing/events.ts";
import { Limiter, useBy, useWithCost, useWithOneMore } from "./limiter.ts";

const START_MS = Date.parse("2026-05-01T10:00:30Z");
const MINUTE_MS = 60_000;
const PATIENT_MS = 20_000;

describe("Limiter", () => {
  let store: Store;
  let limits: Breakable<Store["limits"]>;
  let here: Limiter;
  let there: Limiter;
  let nowMs: number;
  const warnings: string[] = [];

  beforeEach(async () => {
    nowMs = START_MS;
    warnings.length = 0;
    store = await openStore({ path: ":memory:", nowMs: () => nowMs });
    limits = makeBreakable(store.limits);
    here = open(limits.part);
    there = open(store.limits);
  });
  afterEach(async () => {
    limits.breakIt("works");
    await here.close();
    await there.close();
    await store.close();
  });

  function open(counts: Store["limits"], { limitMs = PATIENT_MS, renewMs = MINUTE_MS } = {}): Limiter {
    const warn = (what: string) => void warnings.push(what);
    return new Limiter({ limits: counts, nowMs: () => nowMs, warn, limitMs, renewMs });
  }

  function caller(keyLimits: KeyLimits, keyId = "k") {
    return { keyId, tenant: "t", name: "ci", models: [], limits: keyLimits };
  }

  function finish(limiter: Limiter, id: string, costUsd = 0): void {
    limiter.finished(makeFinished({ id, costUsd }));
  }

  it("does not ask the store for a key without limits", async () => {
    expect(await here.enter(caller({}), "r1")).toBeUndefined();
    finish(here, "r1", 1);
    expect(limits.asked()).toBe(0);
  });

  it("counts requests per minute across two gateways", async () => {
    const key = caller({ requestsPerMinute: 2 });
    expect(await here.enter(key, "r1")).toMatchObject({ used: { requestsThisMinute: 1 } });
    expect(await there.enter(key, "r2")).toMatchObject({ used: { requestsThisMinute: 2 } });
    await expect(here.enter(key, "r3")).rejects.toMatchObject({ code: "limit.exceeded", retryAfterMs: 30_000 });
    nowMs += 30_000;
    expect(await here.enter(key, "r4")).toMatchObject({ used: { requestsThisMinute: 1 } });
  });

  it("counts concurrent requests across two gateways until they finish", async () => {
    const key = caller({ concurrent: 1 });
    await here.enter(key, "r1");
    await expect(there.enter(key, "r2")).rejects.toMatchObject({ code: "limit.exceeded" });
    finish(here, "r1");
    await here.close();
    expect(await there.enter(key, "r3")).toMatchObject({ used: { underWay: 1 } });
  });

  it("keeps counting a long request, and drops one whose gateway died", async () => {
    const key = caller({ concurrent: 1 });
    const alive = open(store.limits, { renewMs: 1 });
    await alive.enter(key, "r1");
    await here.enter(caller({ concurrent: 1 }, "other"), "r2");
    nowMs += MINUTE_MS - 1;
    await expect.poll(() => expiry("r1")).toBe(nowMs + MINUTE_MS);
    nowMs += 1;
    await expect(there.enter(key, "r3")).rejects.toMatchObject({ code: "limit.exceeded" });
    expect(await there.enter(caller({ concurrent: 1 }, "other"), "r4")).toMatchObject({ used: { underWay: 1 } });
    await alive.close();
  });

  /** Returns the time at which a request stops counting. */
  async function expiry(requestId: string): Promise<number> {
    const keyId = requestId === "r1" ? "k" : "other";
    for (const atMs of [nowMs, nowMs + 1, nowMs + MINUTE_MS - 1, nowMs + MINUTE_MS]) {
      if ((await store.limits.used(keyId, atMs)).underWay === 0) return atMs;
    }
    return Number.POSITIVE_INFINITY;
  }

  it("counts the cost of requests and of summaries that finish later", async () => {
    const key = caller({ usdPerDay: 1 });
    await here.enter(key, "r1");
    finish(here, "r1", 0.6);
    here.condensed(makeCondensationEvent({ id: "c1", keyId: "k", costUsd: 0.4 }));
    here.condensed(makeCondensationEvent({ id: "c2", keyId: "unlimited", costUsd: 0.4 }));
    await here.close();
    expect(await store.limits.used("k", nowMs)).toMatchObject({ usdToday: 1, usdThisMonth: 1 });
    expect(await store.limits.used("unlimited", nowMs)).toMatchObject({ usdToday: 0 });
    await expect(there.enter(key, "r2")).rejects.toMatchObject({
      message:
        'API key "ci" has reached its limit of $1.00 per day, with $1.00 spent (usdPerDay); try again after 2026-05-02T00:00:00.000Z',
    });
  });

  describe.each(["fails", "hangs"] as const)("while the store %s", (how) => {
    beforeEach(async () => {
      await here.close();
      here = open(limits.part, { limitMs: 400 });
    });

    it("accepts a key without known counts", async () => {
      limits.breakIt(how);
      expect(await here.enter(caller({ requestsPerMinute: 1, usdPerDay: 1 }), "r1")).toBeDefined();
    });

    it("decides by the last known counts and its own", async () => {
      const key = caller({ requestsPerMinute: 3, usdPerDay: 5 });
      await there.enter(key, "r0");
      await here.enter(key, "r1");
      limits.breakIt(how);
      expect(await here.enter(key, "r2")).toMatchObject({ used: { requestsThisMinute: 3, underWay: 3 } });
      const asked = limits.asked();
      await expect(here.enter(key, "r3")).rejects.toMatchObject({ code: "limit.exceeded" });
      expect(limits.asked()).toBe(asked);
      finish(here, "r1", 5);
      nowMs += MINUTE_MS;
      await expect(here.enter(key, "r4")).rejects.toThrow("$5.00 per day, with $5.00 spent");
      expect(warnings).toEqual([expect.stringContaining("limits use the last known counts")]);
    });

    it("drops other gateways' requests when their leases would have expired", async () => {
      const key = caller({ concurrent: 2 });
      await there.enter(key, "r0");
      await here.enter(key, "r1");
      limits.breakIt(how);
      await expect(here.enter(key, "r2")).rejects.toMatchObject({ code: "limit.exceeded" });
      nowMs += MINUTE_MS;
      expect(await here.enter(key, "r3")).toMatchObject({ used: { underWay: 2 } });
    });
  });

  it("writes costs later if the store failed", async () => {
    const key = caller({ usdPerMonth: 5 });
    await here.enter(key, "r1");
    limits.breakIt("fails");
    finish(here, "r1", 0.25);
    here.condensed(makeCondensationEvent({ id: "c1", keyId: "k", costUsd: 0.5 }));
    await expect.poll(() => warnings.length).toBe(1);
    limits.breakIt("works");
    await here.close();
    expect(await store.limits.used("k", nowMs)).toMatchObject({ usdThisMonth: 0.75, underWay: 1 });
  });

  it("prunes old counts", async () => {
    await store.limits.leave("k", "r1", { usd: 1, atMs: START_MS });
    nowMs = Date.parse("2026-06-01T00:00:00Z");
    const pruning = open(store.limits, { renewMs: 1 });
    await expect.poll(async () => (await store.limits.used("k", START_MS)).usdThisMonth).toBe(0);
    await pruning.close();
  });
});

const used = { requestsThisMinute: 5, underWay: 2, usdToday: 1, usdThisMonth: 7 };
const atMs = Date.parse("2026-03-30T23:58:10Z");

it.each([
  ["2026-03-30T23:58:59Z", used],
  ["2026-03-30T23:59:00Z", { ...used, requestsThisMinute: 0 }],
  ["2026-03-31T00:00:00Z", { ...used, requestsThisMinute: 0, usdToday: 0 }],
  ["2026-04-01T00:00:00Z", { ...used, requestsThisMinute: 0, usdToday: 0, usdThisMonth: 0 }],
])("restarts the counters that have ended by %s", (now, left) => {
  expect(useBy({ used, atMs }, Date.parse(now))).toEqual(left);
});

it("adds requests and costs", () => {
  expect(useWithOneMore(used)).toEqual({ ...used, requestsThisMinute: 6, underWay: 3 });
  expect(useWithCost(used, 0.5)).toEqual({ ...used, usdToday: 1.5, usdThisMonth: 7.5 });
});
