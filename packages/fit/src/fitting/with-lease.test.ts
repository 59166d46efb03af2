import { setTimeout as wait } from "node:timers/promises";
import type { Answer } from "@longhaul/condense";
import { openStore, type Store } from "@longhaul/store";
import { makeEpoch, POSTGRES_SKIP, sharedPostgres } from "@longhaul/store/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { type FitBench, makeChat, openFitBench } from "../testing/index.ts";
import type { FitContext } from "./fit.ts";
import { LeaseTaken, withLease } from "./with-lease.ts";

const throughMessages = (through: number) => ({ head: "", through, messages: [] });

const SUMMARY = "They spoke of harbours and lanterns.";
const NATIVE = { strategy: "native", fallbacks: [] };

const ENGINES: readonly [string, () => Promise<() => Promise<Store>>][] = [
  [
    "SQLite",
    async () => {
      const store = await openStore({ path: ":memory:", nowMs: Date.now });
      onTestFinished(() => store.close());
      return async () => store;
    },
  ],
  [
    "PostgreSQL",
    async () => {
      const url = await (await sharedPostgres()).createDatabase();
      return async () => {
        const store = await openStore({ url, nowMs: Date.now });
        onTestFinished(() => store.close());
        return store;
      };
    },
  ],
];

/** Gateways on one store, and a summariser for all of them. */
async function openGateways(openOne: () => Promise<Store>, context: object = NATIVE) {
  const open = async () => openFitBench({ context, store: await openOne(), nowMs: Date.now });
  const { promise: answered, resolve: giveAnswer } = Promise.withResolvers<Answer>();
  const { promise: asked, resolve: markAsked } = Promise.withResolvers<void>();
  let asks = 0;
  const summarizer: FitContext["summarizer"] = () => () => {
    asks++;
    markAsked();
    return answered;
  };
  const fitting: Partial<FitContext> = { summarizer, wait: (ms, signal) => wait(ms, undefined, { signal }) };
  const fit = (bench: FitBench, body: object = makeChat(60)) => bench.fit(body, fitting);
  const answer = () => giveAnswer({ kind: "text", text: SUMMARY });
  return { one: await open(), other: await open(), fit, fitting, asked, asks: () => asks, answer };
}

describe.each(ENGINES)("two gateways on one %s", (name, openEngine) => {
  const claims = it.skipIf(name === "PostgreSQL" && POSTGRES_SKIP !== "");

  claims("have one summary written if both need it", async () => {
    const { one, other, fit, asks, asked, answer } = await openGateways(await openEngine());
    const fitting = [one, other].map((bench) => fit(bench));
    await asked;
    answer();
    const [first, second] = await Promise.all(fitting);
    expect(asks()).toBe(1);
    expect(second?.form.epoch).toEqual(first?.form.epoch);
    expect(first?.form.epoch).toMatchObject({ strategy: "native", isPlaceholder: false });
    expect(second?.form.rendering?.parts).toEqual(first?.form.rendering?.parts);
  });

  claims("write no second summary if the other has just finished", async () => {
    const { one, other, fit, asks, answer } = await openGateways(await openEngine());
    const fitRequest = await other.fitRequest(makeChat(60));
    answer();
    const { form } = await fit(one);
    const made = await withLease(fitRequest, { make: (ours) => ours(), onWait: () => {}, wait });
    expect([made, asks()]).toEqual([undefined, 1]);
    expect(fitRequest.state.epochs.known(fitRequest)).toEqual([form.epoch]);
  });

  claims("continue without it while the other waits, even if it was started a turn earlier", async () => {
    const context = { ...NATIVE, threshold: 50 };
    const { one, other, fit, asks, asked, answer } = await openGateways(await openEngine(), context);
    const body = makeChat(20);
    expect((await fit(one, body)).origin).toBe("raw");
    await asked;
    const later = [
      { role: "assistant", content: "About harbours." },
      { role: "user", content: "And then?" },
    ];
    const wentOn = { ...body, messages: [...body.messages, ...later] };
    expect((await fit(other, wentOn)).origin).toBe("raw");
    expect(asks()).toBe(1);
    answer();
    await Promise.all([one.state.jobs.settled(), other.state.jobs.settled()]);
    expect(asks()).toBe(1);
    expect((await fit(other, wentOn)).origin).toBe("reused");
  });
});

const openSqlite = ENGINES[0]?.[1] ?? (() => Promise.reject(new Error("there is no SQLite")));

const make = async (ours: () => Promise<void>) => {
  await ours();
  return "made";
};

describe("a gateway that waits for another", () => {
  it("continues as with a slow summary if that takes too long", async () => {
    const { one, other, fit, fitting, asked, asks, answer } = await openGateways(await openSqlite());
    const first = fit(one);
    await asked;
    const waits: number[] = [];
    const second = await other.fit(makeChat(60), {
      ...fitting,
      wait: async (ms) => {
        if (ms < 20_000) waits.push(ms);
        else await other.state.jobs.settled();
      },
    });
    expect(second.form.epoch).toMatchObject({ isPlaceholder: true });
    expect(waits.slice(0, 3)).toEqual([50, 75, 112.5]);
    expect(Math.max(...waits)).toBe(1_000);
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeCloseTo(20_000);
    answer();
    expect([(await first).form.epoch?.isPlaceholder, asks()]).toEqual([false, 1]);
    expect(other.state.jobs.lastMiss(second.fitRequest.scope, second.fitRequest.history.prefixes())).toBeUndefined();
    expect((await fit(other)).form.epoch).toEqual((await first).form.epoch);
  });

  it("takes over if the other one fails", async () => {
    const { one, other, fitting } = await openGateways(await openSqlite());
    const { promise: failed, reject: fail } = Promise.withResolvers<Answer>();
    const { promise: oneAsked, resolve: markAsked } = Promise.withResolvers<void>();
    const first = one.fit(makeChat(60), {
      ...fitting,
      summarizer: () => () => {
        markAsked();
        return failed;
      },
    });
    await oneAsked;
    const { promise: waited, resolve: markWaited } = Promise.withResolvers<void>();
    const second = other.fit(makeChat(60), {
      summarizer: () => async () => ({ kind: "text", text: SUMMARY }),
      wait: async (ms, signal) => {
        if (ms < 20_000) markWaited();
        await wait(ms, undefined, { signal });
      },
    });
    await waited;
    fail(new Error("gone"));
    expect((await first).form.epoch).toMatchObject({ isPlaceholder: true });
    expect((await second).form.epoch).toMatchObject({ strategy: "native", isPlaceholder: false });
  });

  it("does not accept a placeholder or another turn's references as the result", async () => {
    const { one } = await openGateways(await openSqlite());
    const fitRequest = await one.fitRequest(makeChat(60));
    const [prefix = "", other = ""] = fitRequest.history.prefixes();
    const making = {
      make,
      onWait: () => {},
      wait: async () => {},
    };
    fitRequest.state.epochs.known(fitRequest);
    const inStore = makeEpoch({ scope: fitRequest.scope, prefix, isPlaceholder: true, evidence: throughMessages(1) });
    await fitRequest.state.epochs.put(inStore);
    const references = { prefix: other, isPlaceholder: false, from: 3, evidence: throughMessages(2) };
    await fitRequest.state.epochs.put({ ...inStore, ...references });
    expect(await withLease(fitRequest, making)).toBe("made");
  });
});

describe("withLease", () => {
  it("rethrows an error and lets the next gateway try", async () => {
    const { one } = await openGateways(await openSqlite());
    const fitRequest = await one.fitRequest(makeChat(60));
    const making = { onWait: () => {}, wait: async () => {} };
    const failing = withLease(fitRequest, { ...making, make: () => Promise.reject(new TypeError("gone")) });
    await expect(failing).rejects.toThrow("gone");
    expect(await withLease(fitRequest, { ...making, make })).toBe("made");
  });

  it("takes no lease before it is needed, and reports that another gateway has it", async () => {
    const { one, other } = await openGateways(await openSqlite());
    const { scope, history } = await one.fitRequest(makeChat(60));
    const claim = await one.state.claims.take(scope, history.prefixes());
    const steps: string[] = [];
    const making = {
      make: async (ours: () => Promise<void>) => {
        steps.push("begun");
        await ours().catch((error: unknown) => {
          steps.push(error instanceof LeaseTaken ? "not ours" : "failed");
          throw error;
        });
        return "made";
      },
      onWait: () => void steps.push("waits"),
      wait: async () => void (await claim?.release()),
    };
    expect(await withLease(await other.fitRequest(makeChat(60)), making)).toBe("made");
    expect(steps).toEqual(["begun", "not ours", "waits", "begun"]);
  });
});

describe("work without a model", () => {
  it("is done without a lease", async () => {
    const { one, other, fit, asks } = await openGateways(await openSqlite(), { strategy: "middle-out" });
    const { scope, history } = await one.fitRequest(makeChat(60));
    await one.state.claims.take(scope, history.prefixes());
    expect((await fit(other)).form.epoch).toMatchObject({ strategy: "middle-out", isPlaceholder: false });
    expect(asks()).toBe(0);
  });
});
