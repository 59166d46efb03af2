import { LonghaulError } from "@longhaul/conversation";
import type { EventBatch } from "@longhaul/store";
import { makeCondensationEvent } from "@longhaul/store/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { makeFinished } from "../testing/events.ts";
import { Recorder } from "./recorder.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const away = () => new LonghaulError("store.unavailable", "the database is away");

/** A store that collects batches, unless a test changes it. */
function makeEvents() {
  const batches: EventBatch[] = [];
  const answers: (() => Promise<void>)[] = [];
  const add = async (batch: EventBatch) => {
    await (answers.shift() ?? (() => Promise.resolve()))();
    batches.push(batch);
  };
  const ids = () => batches.flatMap(({ requests }) => requests.map(({ id }) => id));
  return { add, batches, answers, ids };
}

function open(isEnabled = true) {
  const events = makeEvents();
  const warnings: string[] = [];
  const warn = (what: string) => void warnings.push(what);
  const recorder = new Recorder({ events, isEnabled: () => isEnabled, warn, nowMs: Date.now });
  const report = (count: number) => {
    for (let index = 0; index < count; index++) recorder.finished(makeFinished({ id: `${index}` }));
  };
  return { ...events, events, recorder, warnings, report };
}

describe("Recorder", () => {
  it("writes events of half a second in one batch", async () => {
    const { recorder, report, batches } = open();
    report(3);
    recorder.condensed(makeCondensationEvent());
    await vi.advanceTimersByTimeAsync(499);
    expect([batches, recorder.counts()]).toEqual([[], { waiting: 4, dropped: 0 }]);
    await vi.advanceTimersByTimeAsync(1);
    expect(batches).toMatchObject([{ requests: [{ id: "0" }, { id: "1" }, { id: "2" }], condensations: [{}] }]);
    expect(recorder.counts()).toEqual({ waiting: 0, dropped: 0 });
  });

  it("stores a request without a model only if it failed", async () => {
    const { recorder, ids } = open();
    recorder.finished(makeFinished({ id: "listed", model: "", action: "list-models", status: 200, errorCode: "" }));
    recorder.finished(makeFinished({ id: "denied", model: "", action: "list-models", status: 401 }));
    await vi.advanceTimersByTimeAsync(500);
    expect(ids()).toEqual(["denied"]);
  });

  it("writes at once when a batch is full, and one batch at a time", async () => {
    const { report, answers, batches, recorder } = open();
    const { promise, resolve } = Promise.withResolvers<void>();
    answers.push(() => promise);
    report(1_050);
    await vi.advanceTimersByTimeAsync(5_000);
    expect([batches.length, recorder.counts().waiting]).toEqual([0, 1_050]);
    resolve();
    await vi.advanceTimersByTimeAsync(500);
    expect(batches.map(({ requests }) => requests.length)).toEqual([500, 500, 50]);
  });

  it("retries an unavailable store and loses nothing", async () => {
    const { report, answers, ids, recorder } = open();
    answers.push(
      () => Promise.reject(away()),
      () => Promise.reject(away()),
    );
    report(2);
    await vi.advanceTimersByTimeAsync(500 + 1_000 + 1_999);
    expect(ids()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect([ids(), recorder.counts()]).toEqual([["0", "1"], { waiting: 0, dropped: 0 }]);
  });

  it("drops and counts events when the queue is full, and warns once a minute", async () => {
    const { report, answers, recorder, warnings, ids } = open();
    for (let index = 0; index < 10; index++) answers.push(() => Promise.reject(away()));
    report(10_003);
    expect(recorder.counts()).toEqual({ waiting: 10_000, dropped: 3 });
    expect(warnings).toEqual([expect.stringContaining("1 events lost so far: the queue is full")]);
    await vi.advanceTimersByTimeAsync(60_000);
    report(1);
    expect(warnings[1]).toContain("4 events lost so far");
    await vi.advanceTimersByTimeAsync(600_000);
    expect(ids()).toHaveLength(10_000);
  });

  it("drops events that the store rejects, and continues", async () => {
    const { report, answers, recorder, warnings, ids } = open();
    answers.push(() => Promise.reject(new LonghaulError("internal.bug", "no such column: hush")));
    report(2);
    await vi.advanceTimersByTimeAsync(500);
    report(1);
    await vi.advanceTimersByTimeAsync(500);
    expect([ids(), recorder.counts()]).toEqual([["0"], { waiting: 0, dropped: 2 }]);
    expect(warnings).toEqual([expect.stringContaining("the store rejected them (internal.bug)")]);
    expect(warnings.join()).not.toContain("hush");
  });

  it("writes queued events on close, also after a running write", async () => {
    const { report, answers, ids, recorder } = open();
    const { promise, resolve } = Promise.withResolvers<void>();
    answers.push(() => promise);
    report(501);
    const closed = recorder.close();
    resolve();
    await closed;
    expect(ids()).toHaveLength(501);
    report(1);
    expect(recorder.counts()).toEqual({ waiting: 0, dropped: 1 });
  });

  it("does not wait for a hanging store on close, nor retry an unavailable one", async () => {
    const hanging = open();
    hanging.answers.push(() => new Promise(() => {}));
    hanging.report(2);
    const closed = hanging.recorder.close();
    await vi.advanceTimersByTimeAsync(5_000);
    await closed;
    expect(hanging.recorder.counts()).toEqual({ waiting: 0, dropped: 2 });
    const gone = open();
    gone.answers.push(() => Promise.reject(away()));
    gone.report(2);
    await gone.recorder.close();
    expect(gone.warnings).toEqual([expect.stringContaining("the gateway was closed before they were written")]);
  });

  it("writes nothing if events are turned off", async () => {
    const { report, recorder, batches } = open(false);
    report(300);
    recorder.condensed(makeCondensationEvent());
    await recorder.close();
    expect(batches).toEqual([]);
  });
});
