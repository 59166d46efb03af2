import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { EchoProtocol } from "../testing/echo-thread.ts";
import type { FromThread, ToThread } from "./thread.ts";

let worker: Worker;
beforeEach(() => {
  worker = new Worker(new URL("../testing/echo-thread.ts", import.meta.url));
});
afterEach(() => worker.terminate());

async function tell(message: ToThread<EchoProtocol>): Promise<FromThread<EchoProtocol>> {
  const heard = once(worker, "message");
  worker.postMessage(message);
  const [said] = await heard;
  return said;
}

it("asks under the number of a job, takes answers once, and says what came of it", async () => {
  const question = await tell({ kind: "start", id: 7, job: "one" });
  expect(question).toEqual({ kind: "question", id: 7, call: 1, question: "one" });
  worker.postMessage({ kind: "told", call: 99, told: "nobody asked" } satisfies ToThread<EchoProtocol>);
  expect(await tell({ kind: "told", call: 1, told: "first" })).toEqual({ kind: "done", id: 7, done: "first one" });
  worker.postMessage({ kind: "told", call: 1, told: "again" } satisfies ToThread<EchoProtocol>);
  expect(await tell({ kind: "start", id: 8, job: "two" })).toMatchObject({ kind: "question", id: 8 });
});

it("says what a job failed with, also where its question was refused", async () => {
  const failure = { code: "log.unreadable", message: "there is nothing to say" } as const;
  expect(await tell({ kind: "start", id: 9, job: "" })).toEqual({ kind: "failed", id: 9, failure });
  expect(await tell({ kind: "start", id: 10, job: "three" })).toMatchObject({ kind: "question", call: 1 });
  expect(await tell({ kind: "refused", call: 1, failure })).toEqual({ kind: "failed", id: 10, failure });
});
