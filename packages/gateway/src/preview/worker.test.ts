import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { afterAll, expect, it } from "vitest";
import { makeTerms } from "../testing/previews.ts";
import { findExample } from "./examples/examples.ts";
import type { FromThread, ToThread } from "./messages.ts";

const worker = new Worker(new URL("./worker.ts", import.meta.url));
afterAll(() => worker.terminate());

async function tell(message: ToThread): Promise<FromThread> {
  const heard = once(worker, "message");
  worker.postMessage(message);
  const [said] = await heard;
  return said;
}

it("asks under the number of a job, takes answers once, and says what came of it", async () => {
  const { text } = findExample("planning");
  const question = await tell({ kind: "start", id: 7, job: { kind: "estimate", text } });
  expect(question).toMatchObject({
    kind: "question",
    id: 7,
    question: { kind: "terms", hint: { format: "anthropic-messages" } },
  });
  const call = question.kind === "question" ? question.call : -1;
  const told = { kind: "told", id: 7, call, told: { kind: "terms", terms: makeTerms() } } as const;
  worker.postMessage({ ...told, call: 99 } satisfies ToThread);
  expect(await tell(told)).toMatchObject({ kind: "done", id: 7, done: { kind: "estimate" } });
});
