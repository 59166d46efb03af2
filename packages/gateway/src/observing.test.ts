import { openChangeFeed } from "@longhaul/admin";
import { parseConfig } from "@longhaul/settings";
import { makeCondensationEvent } from "@longhaul/store/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { makeSnapshots } from "./configuration/snapshot.ts";
import { makeGate } from "./http/gate.ts";
import { openObserving, pruneDaily, type Siblings } from "./observing.ts";
import { makeFinished } from "./testing/events.ts";
import { makeStore } from "./testing/memory.ts";
import { makeSnapshot } from "./testing/snapshot.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function open(file: object = {}, siblings?: Siblings) {
  const store = await makeStore(Date.now);
  const upstreams = { up: { kind: "anthropic", apiKey: "k" } };
  const snapshots = makeSnapshots(makeSnapshot({ upstreams, ...file }));
  const gate = makeGate(() => 5);
  const changes = openChangeFeed(store.changes);
  const observing = openObserving({ store, snapshots, gate, changes, nowMs: Date.now, siblings });
  closers.push(() => store.close(), snapshots.close);
  return { store, snapshots, gate, observing };
}

describe("openObserving", () => {
  it("writes queued events to the database on close", async () => {
    const { store, observing } = await open();
    const atMs = Date.now();
    observing.observer.finished(makeFinished({ atMs }));
    observing.observer.condensed(makeCondensationEvent({ atMs }));
    await observing.close();
    expect(await store.events.request("request")).toEqual(makeFinished({ atMs }).event);
    expect(await store.events.condensations({ limit: 9 })).toEqual([makeCondensationEvent({ atMs })]);
  });

  it("stores contents if the operator turned that on", async () => {
    const { store, observing } = await open({ contents: { keep: "all" } });
    const received = Buffer.from('{"model":"m"}');
    observing.observer.finished(makeFinished({ atMs: Date.now() }, { received }));
    await observing.close();
    expect(await store.contents.find("request")).toMatchObject({ wire: "anthropic-messages", tenant: "tenant" });
  });

  it("reports metrics of the gate, the circuits and the queues", async () => {
    const { gate, observing, snapshots } = await open();
    gate.enter();
    observing.observer.finished(makeFinished());
    const circuit = snapshots.current().handles.get("up")?.[0]?.circuit;
    expect(await observing.metrics()).toContain('longhaul_circuit_open{upstream="up"} 0');
    for (let failures = 0; failures < 5; failures++) circuit?.failed();
    const text = (await observing.metrics())?.split("\n");
    expect(text).toContain('longhaul_circuit_open{upstream="up"} 1');
    expect(text).toContain("longhaul_requests_under_way 1");
    expect(text).toContain("longhaul_events_waiting 1");
    expect(text).toContain("longhaul_events_dropped 0");
    await observing.close();
  });

  it("joins the metrics of other workers with its own, and answers them until it is closed", async () => {
    const answers: (() => string)[] = [];
    const theirs =
      '# HELP longhaul_heap_bytes Heap in use.\n# TYPE longhaul_heap_bytes gauge\nlonghaul_heap_bytes{worker="2"} 5\n';
    const { observing } = await open(
      {},
      {
        name: "1",
        ask: async () => [theirs],
        answer: (report) => {
          answers.push(report);
          return () => void answers.pop();
        },
      },
    );
    observing.observer.finished(makeFinished());
    const heap =
      /# HELP longhaul_heap_bytes .*\n.*\nlonghaul_heap_bytes\{worker="1"\} \d+\nlonghaul_heap_bytes\{worker="2"\} 5\n/;
    expect(await observing.metrics()).toMatch(heap);
    expect(answers[0]?.()).toContain('status="200",worker="1"} 1\n');
    await observing.close();
    expect(answers).toEqual([]);
  });

  it("reports neither metrics nor events that are turned off", async () => {
    const { store, observing } = await open({ telemetry: { metrics: false }, events: { enabled: false } });
    observing.observer.finished(makeFinished());
    expect(await observing.metrics()).toBeUndefined();
    await observing.close();
    expect(await store.events.request("request")).toBeUndefined();
  });
});

const DAY_MS = 86_400_000;

describe("pruneDaily", () => {
  beforeEach(() => void vi.useFakeTimers({ now: 100 * DAY_MS }));
  afterEach(() => void vi.useRealTimers());

  it("prunes at once and then daily with the current settings, until it is stopped", async () => {
    const pruned: unknown[] = [];
    let keepDays = 30;
    const stop = pruneDaily({
      events: { prune: async (beforeMs) => pruned.push(["events", beforeMs / DAY_MS]) },
      contents: { prune: async (beforeMs, bytes) => pruned.push(["contents", beforeMs / DAY_MS, bytes]) },
      settings: () => parseConfig({ events: { keepDays }, contents: { maxMiB: 1 } }, {}),
      nowMs: Date.now,
      warn: () => {},
    });
    await vi.advanceTimersByTimeAsync(0);
    expect(pruned).toEqual([
      ["events", 70],
      ["contents", 93, 1_048_576],
    ]);
    keepDays = 1;
    await vi.advanceTimersByTimeAsync(DAY_MS);
    expect(pruned[2]).toEqual(["events", 100]);
    stop();
    await vi.advanceTimersByTimeAsync(3 * DAY_MS);
    expect(pruned).toHaveLength(4);
  });

  it("warns if the store fails, without its message", async () => {
    const warnings: string[] = [];
    const stop = pruneDaily({
      events: { prune: () => Promise.reject(new Error("hush")) },
      contents: { prune: () => Promise.resolve(0) },
      settings: () => parseConfig({}, {}),
      nowMs: Date.now,
      warn: (what) => void warnings.push(what),
    });
    await vi.advanceTimersByTimeAsync(0);
    stop();
    expect(warnings).toEqual([expect.stringContaining("could not be deleted")]);
    expect(warnings.join()).not.toContain("hush");
  });

  it("does not warn of a store that fails after it was stopped", async () => {
    const warnings: string[] = [];
    const stop = pruneDaily({
      events: { prune: () => Promise.reject(new Error("closed")) },
      contents: { prune: () => Promise.resolve(0) },
      settings: () => parseConfig({}, {}),
      nowMs: Date.now,
      warn: (what) => void warnings.push(what),
    });
    stop();
    await vi.advanceTimersByTimeAsync(0);
    expect(warnings).toEqual([]);
  });
});
