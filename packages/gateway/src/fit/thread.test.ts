import type { Worker } from "node:worker_threads";
import type { Answer } from "@longhaul/condense";
import { makeTokenCounters } from "@longhaul/models";
import { afterEach, describe, expect, it } from "vitest";
import { sha256 } from "../known-messages.ts";
import { makeChat } from "../testing/fitting.ts";
import { makePrompt } from "../testing/projections.ts";
import { Thread } from "./thread.ts";
import { openWorkers } from "./workers.ts";

const started: Worker[] = [];
const note = (worker: Worker) => void started.push(worker);

afterEach(async () => {
  process.off("worker", note);
  for (const worker of started.splice(0)) await worker.terminate();
});

const work = {
  prompt: makePrompt(JSON.stringify(makeChat(20)), "anthropic-messages"),
  choices: [{ strategy: "native" }] as const,
  limits: { windowTokens: 2_000, targetTokens: 800, budgetTokens: 1_500 },
  bindsThinking: false,
};
const summary: readonly Answer[] = [{ kind: "text", text: "They spoke of harbours." }];
const never = () => new Promise<readonly Answer[]>(() => {});

/** What no worker expects: it has nothing to answer to. */
const crash = (worker: Worker | undefined) => worker?.postMessage(null);

describe("Thread", () => {
  it("rejects what it is at when it stops, and says that it has stopped", async () => {
    let stops = 0;
    const thread = new Thread(() => void stops++);
    const job = thread.condense(work, never);
    const end = expect(job).rejects.toMatchObject({
      code: "internal.bug",
      message: expect.stringContaining("stopped"),
    });
    await thread.close();
    await end;
    expect(stops).toBe(1);
  });

  it("takes answers that come when nobody waits for them any more", async () => {
    const thread = new Thread(() => {});
    let giveAnswers: (answers: readonly Answer[]) => void = () => {};
    let markAsked: () => void = () => {};
    const asked = new Promise<void>((resolve) => {
      markAsked = resolve;
    });
    const job = thread.condense(work, () => {
      markAsked();
      return new Promise((resolve) => {
        giveAnswers = resolve;
      });
    });
    const end = expect(job).rejects.toMatchObject({ code: "internal.bug" });
    await asked;
    await thread.close();
    giveAnswers(summary);
    await end;
  });
});

describe("a thread that crashes", () => {
  it("rejects its jobs, and the next ones have another, also those that begin before it is quite gone", async () => {
    process.on("worker", note);
    const workers = openWorkers(makeTokenCounters({ hash: sha256 }), 0);
    const first = workers.condense(work, async () => {
      crash(started[0]);
      return await never();
    });
    const error = await first.catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: "internal.bug", cause: expect.any(TypeError) });
    const second = await workers.condense(work, async () => summary);
    expect(second.report.strategy).toBe("native");
    expect(started).toHaveLength(2);
    const third = await workers.condense(work, async () => summary);
    expect(third.rendering).toEqual(second.rendering);
    expect(started).toHaveLength(2);
    await workers.close();
  });
});
