import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { textMessage } from "@longhaul/conversation";
import { afterAll, expect, it } from "vitest";
import { makeChat } from "../testing/fitting.ts";
import { makePrompt } from "../testing/projections.ts";
import type { FromWorker, ToWorker } from "./worker.ts";

const worker = new Worker(new URL("./worker.ts", import.meta.url));
afterAll(() => worker.terminate());

async function tell(message: ToWorker): Promise<FromWorker> {
  const heard = once(worker, "message");
  worker.postMessage(message);
  const [said] = await heard;
  return said;
}

const prompt = makePrompt(JSON.stringify(makeChat(20)), "anthropic-messages");
const limits = { windowTokens: 2_000, targetTokens: 800, budgetTokens: 1_500 };
const work = { prompt, limits, choices: [{ strategy: "native" }], bindsThinking: false } as const;

it("says under the number of each job what it asks and what comes of it", async () => {
  const asked = await tell({ kind: "condense", id: 7, work });
  expect(asked).toMatchObject({ kind: "asks", id: 7, asks: [{ kind: "ask" }] });
  const message = textMessage("user", "In short.");
  const projection = { version: 1, messages: 2, entries: [{ kind: "made", from: 0, to: 2, message }] } as const;
  expect(await tell({ kind: "render", id: 8, prompt, projection })).toMatchObject({ kind: "rendered", id: 8 });
  const ended = await tell({ kind: "answers", id: 7, answers: [{ kind: "text", text: "Harbours." }] });
  expect(ended).toMatchObject({ kind: "condensed", id: 7 });
});

it("has nothing to say of jobs that it does not know, or that were stopped", async () => {
  await tell({ kind: "condense", id: 9, work });
  worker.postMessage({ kind: "stop", id: 9 } satisfies ToWorker);
  worker.postMessage({ kind: "answers", id: 9, answers: [{ kind: "text", text: "Harbours." }] } satisfies ToWorker);
  worker.postMessage({ kind: "answers", id: 99, answers: [] } satisfies ToWorker);
  const next = await tell({
    kind: "condense",
    id: 10,
    work: { ...work, prompt: makePrompt("{}", "anthropic-messages") },
  });
  expect(next).toMatchObject({ kind: "failed", id: 10, code: "request.malformed" });
});

it("says that a tool that nobody has is a bug", async () => {
  const choices = [{ strategy: "no such strategy" }] as const;
  expect(await tell({ kind: "condense", id: 11, work: { ...work, choices } })).toMatchObject({
    kind: "failed",
    id: 11,
  });
});
