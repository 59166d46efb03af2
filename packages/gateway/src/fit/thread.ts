import { Worker } from "node:worker_threads";
import type { Answer, Ask, Projection } from "@longhaul/condense";
import { LonghaulError } from "@longhaul/conversation";
import type { Rendering } from "./parts.ts";
import type { Prompt } from "./prompt.ts";
import type { Condensed, CondenseWork } from "./work.ts";
import type { FromWorker, ToWorker } from "./worker.ts";

/** Answers a batch of asks. */
export type AnswerAsks = (asks: readonly Ask[]) => Promise<readonly Answer[]>;

/** Somebody who waits for a thread. */
interface Job {
  readonly take: (message: FromWorker) => void;
  readonly fail: (error: unknown) => void;
}

/** A thread that condenses and renders, and keeps no process alive. What it is at when it stops is rejected. */
export class Thread {
  readonly #worker = new Worker(new URL("./worker.ts", import.meta.url));
  readonly #jobs = new Map<number, Job>();
  #lastId = 0;

  /** Starts it. `onStop` is called when it takes nothing any more. */
  constructor(onStop: () => void) {
    const stop = (cause: unknown) => {
      onStop();
      const error = new LonghaulError("internal.bug", "the thread that condenses has stopped", { cause });
      for (const { fail } of this.#jobs.values()) fail(error);
    };
    this.#worker.on("message", (message: FromWorker) => this.#jobs.get(message.id)?.take(message));
    this.#worker.on("error", stop);
    this.#worker.on("exit", stop);
    this.#worker.unref();
  }

  condense(work: CondenseWork, answer: AnswerAsks): Promise<Condensed> {
    return this.#run(
      (id) => ({ kind: "condense", id, work: { ...work, prompt: copied(work.prompt) } }),
      (message) => {
        if (message.kind === "asks") void this.#pass(message.id, answer(message.asks));
        return message.kind === "condensed" ? message.condensed : undefined;
      },
    );
  }

  render(prompt: Prompt, projection: Projection): Promise<Rendering> {
    return this.#run(
      (id) => ({ kind: "render", id, prompt: copied(prompt), projection }),
      (message) => (message.kind === "rendered" ? message.rendering : undefined),
    );
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  /** Posts a job; `resultIn` finds the result in the message that ends it. */
  #run<T>(posted: (id: number) => ToWorker, resultIn: (message: FromWorker) => T | undefined): Promise<T> {
    const id = ++this.#lastId;
    return new Promise<T>((resolve, reject) => {
      const fail = (error: unknown) => {
        this.#jobs.delete(id);
        reject(error);
      };
      const take = (message: FromWorker) => {
        if (message.kind === "failed") return fail(new LonghaulError(message.code, message.message));
        const result = resultIn(message);
        if (result === undefined) return;
        this.#jobs.delete(id);
        resolve(result);
      };
      this.#jobs.set(id, { take, fail });
      this.#worker.postMessage(posted(id));
    });
  }

  /** Passes answers on; without any, the job is over. */
  async #pass(id: number, answers: Promise<readonly Answer[]>): Promise<void> {
    try {
      this.#worker.postMessage({ kind: "answers", id, answers: await answers } satisfies ToWorker);
    } catch (error) {
      this.#jobs.get(id)?.fail(error);
      this.#worker.postMessage({ kind: "stop", id } satisfies ToWorker);
    }
  }
}

/** A body may be a view of something larger, all of which would be copied. */
function copied(prompt: Prompt): Prompt {
  return { ...prompt, body: Uint8Array.from(prompt.body) };
}
