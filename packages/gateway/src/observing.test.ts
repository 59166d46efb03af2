import { openChangeFeed } from "@longhaul/admin";
import { makeCondensationEvent } from "@longhaul/store/testing";
import { afterEach, describe, expect, it } from "vitest";
import { makeSnapshots } from "./configuration/snapshot.ts";
import { makeGate } from "./http/gate.ts";
import { openObserving, type Siblings } from "./observing.ts";
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
  it("keeps what happened in the database, at the latest when it is closed", async () => {
    const { store, observing } = await open();
    const atMs = Date.now();
    observing.observer.finished(makeFinished({ atMs }));
    observing.observer.condensed(makeCondensationEvent({ atMs }));
    await observing.close();
    expect(await store.events.request("request")).toEqual(makeFinished({ atMs }).event);
    expect(await store.events.condensations({ limit: 9 })).toEqual([makeCondensationEvent({ atMs })]);
  });

  it("keeps contents where the operator wants that", async () => {
    const { store, observing } = await open({ contents: { keep: "all" } });
    const received = Buffer.from('{"model":"m"}');
    observing.observer.finished(makeFinished({ atMs: Date.now() }, { received }));
    await observing.close();
    expect(await store.contents.find("request")).toMatchObject({ wire: "anthropic-messages", tenant: "tenant" });
  });

  it("tells figures of the gate, the circuits and the queues", async () => {
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

  it("tells the figures of its siblings beside its own, and its own to them until it is closed", async () => {
    const told: (() => string)[] = [];
    const theirs =
      '# HELP longhaul_heap_bytes Heap in use.\n# TYPE longhaul_heap_bytes gauge\nlonghaul_heap_bytes{worker="2"} 5\n';
    const { observing } = await open(
      {},
      {
        name: "1",
        ask: async () => [theirs],
        answer: (tell) => {
          told.push(tell);
          return () => void told.pop();
        },
      },
    );
    observing.observer.finished(makeFinished());
    const heap =
      /# HELP longhaul_heap_bytes .*\n.*\nlonghaul_heap_bytes\{worker="1"\} \d+\nlonghaul_heap_bytes\{worker="2"\} 5\n/;
    expect(await observing.metrics()).toMatch(heap);
    expect(told[0]?.()).toContain('status="200",worker="1"} 1\n');
    await observing.close();
    expect(told).toEqual([]);
  });

  it("tells nothing that the operator wants untold", async () => {
    const { store, observing } = await open({ telemetry: { metrics: false }, events: { enabled: false } });
    observing.observer.finished(makeFinished());
    expect(await observing.metrics()).toBeUndefined();
    await observing.close();
    expect(await store.events.request("request")).toBeUndefined();
  });
});
