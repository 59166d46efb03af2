import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { LonghaulError } from "@longhaul/conversation";
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { EchoProtocol } from "../testing/echo-thread.ts";
import { type FromThread, failureOf, keepThread, Thread, type ToThread } from "./thread.ts";

const program = new URL("../testing/echo-thread.ts", import.meta.url);
const open = (onStop = () => {}) => new Thread<EchoProtocol>({ program, purpose: "echoes", onStop });

describe("Thread", () => {
  const thread = open();
  afterAll(() => thread.close());

  it("runs jobs concurrently, each with its own questions", async () => {
    const done = Promise.all([thread.run("one", async () => "first"), thread.run("two", async () => "second")]);
    expect(thread.size).toBe(2);
    expect(await done).toEqual(["first one", "second two"]);
    expect(thread.size).toBe(0);
  });

  it("fails at once with the error of a refused question, and continues other jobs", async () => {
    const refusal = new LonghaulError("settings.invalid", "no such profile");
    await expect(thread.run("one", () => Promise.reject(refusal))).rejects.toBe(refusal);
    expect(thread.size).toBe(0);
    expect(await thread.run("two", async () => "second")).toBe("second two");
  });

  it("fails with the error of the thread", async () => {
    await expect(thread.run("", async () => "first")).rejects.toMatchObject({
      code: "log.unreadable",
      message: "there is nothing to say",
    });
  });

  it("rejects its jobs when it stops, and ignores later answers", async () => {
    let stops = 0;
    const other = open(() => void stops++);
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<string>();
    const job = other.run("one", () => {
      asked.resolve();
      return answer.promise;
    });
    const end = expect(job).rejects.toMatchObject({
      code: "internal.bug",
      message: "the thread for echoes has stopped",
    });
    await asked.promise;
    await other.close();
    answer.resolve("late");
    await end;
    expect([stops, other.size]).toEqual([1, 0]);
  });
});

it.each([
  [new LonghaulError("log.unreadable", "no log"), { code: "log.unreadable", message: "no log" }],
  [new TypeError("a bug"), { code: "internal.bug", message: "a bug" }],
  ["words", { code: "internal.bug", message: "words" }],
])("%s is transferred as %j", (error, failure) => {
  expect(failureOf(error)).toEqual(failure);
});

function openKept() {
  const kept = keepThread<EchoProtocol>(new URL("../testing/echo-thread.ts", import.meta.url), "echoes");
  onTestFinished(() => kept.close());
  return kept;
}

it("starts one thread for all jobs", async () => {
  const kept = openKept();
  const first = kept.running();
  const done = first.run("one", async () => "first");
  expect([kept.running(), kept.size()]).toEqual([first, 1]);
  expect(await done).toBe("first one");
  expect(kept.size()).toBe(0);
});

it("starts another one after it was closed or has stopped by itself", async () => {
  const kept = openKept();
  const first = kept.running();
  await kept.close();
  const second = kept.running();
  await second.close();
  const third = kept.running();
  expect(new Set([first, second, third]).size).toBe(3);
  expect(await third.run("one", async () => "first")).toBe("first one");
});

it("keeps the newer thread when the older one ends", async () => {
  const kept = openKept();
  kept.running();
  const ended = kept.close();
  const newer = kept.running();
  await ended;
  expect(kept.running()).toBe(newer);
});

it("starts none to close it", async () => {
  const kept = openKept();
  await kept.close();
  expect(kept.size()).toBe(0);
});

let worker: Worker;
beforeEach(() => {
  worker = new Worker(new URL("../testing/echo-thread.ts", import.meta.url));
});
afterEach(() => worker.terminate());

async function post(message: ToThread<EchoProtocol>): Promise<FromThread<EchoProtocol>> {
  const received = once(worker, "message");
  worker.postMessage(message);
  const [said] = await received;
  return said;
}

it("asks with a job's number, accepts an answer once, and reports the result", async () => {
  const question = await post({ kind: "start", id: 7, job: "one" });
  expect(question).toEqual({ kind: "question", id: 7, call: 1, question: "one" });
  worker.postMessage({ kind: "answer", call: 99, answer: "unasked" } satisfies ToThread<EchoProtocol>);
  expect(await post({ kind: "answer", call: 1, answer: "first" })).toEqual({ kind: "done", id: 7, done: "first one" });
  worker.postMessage({ kind: "answer", call: 1, answer: "again" } satisfies ToThread<EchoProtocol>);
  expect(await post({ kind: "start", id: 8, job: "two" })).toMatchObject({ kind: "question", id: 8 });
});

it("reports why a job failed, also after a refused question", async () => {
  const failure = { code: "log.unreadable", message: "there is nothing to say" } as const;
  expect(await post({ kind: "start", id: 9, job: "" })).toEqual({ kind: "failed", id: 9, failure });
  expect(await post({ kind: "start", id: 10, job: "three" })).toMatchObject({ kind: "question", call: 1 });
  expect(await post({ kind: "refused", call: 1, failure })).toEqual({ kind: "failed", id: 10, failure });
});
