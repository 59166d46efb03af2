import { Worker } from "node:worker_threads";
import type { Answer, Ask, Projection } from "@longhaul/condense";
import { LonghaulError } from "@longhaul/conversation";
import type { TokenCounters } from "@longhaul/models";
import type { Rendering } from "./parts.ts";
import { type Condensed, type CondenseWork, condenseWork, type Prompt, renderWork } from "./work.ts";
import type { FromWorker, ToWorker } from "./worker.ts";

/** Answers a batch of asks. */
export type AnswerAsks = (asks: readonly Ask[]) => Promise<readonly Answer[]>;

/** Does the work that takes long, without holding up the streams of others. */
export interface Workers {
  condense(work: CondenseWork, answer: AnswerAsks): Promise<Condensed>;
  render(prompt: Prompt, projection: Projection): Promise<Rendering>;
  /** Gets ready for work on a body of this size. */
  prepare(bytes: number): void;
  close(): Promise<void>;
}

/** Smaller bodies are done with before another thread would have begun. */
const INLINE_BYTES = 64 * 1024;

/** Opens the place where such work is done. The thread is started when it is first needed. */
export function openWorkers(counters: TokenCounters, inlineBytes = INLINE_BYTES): Workers {
  const thread = makeThread();
  return {
    condense: async (work, answer) => {
      const { body, tokenizer, ratio } = work.prompt;
      if (body.length > inlineBytes) return await thread.condense(work, answer);
      const run = condenseWork(work, await counters.counterFor(tokenizer, ratio));
      let step = run.next();
      while (step.done !== true) step = run.next(await answer(step.value));
      return step.value;
    },
    render: async (prompt, projection) => {
      if (prompt.body.length > inlineBytes) return await thread.render(prompt, projection);
      return renderWork(prompt, projection, await counters.counterFor(prompt.tokenizer, prompt.ratio));
    },
    prepare: (bytes) => {
      if (bytes > inlineBytes) thread.prepare(bytes);
    },
    close: thread.close,
  };
}

interface Job {
  readonly take: (message: FromWorker) => void;
  readonly fail: (error: LonghaulError) => void;
}

function makeThread(): Workers {
  const jobs = new Map<number, Job>();
  let worker: Worker | undefined;
  let lastId = 0;
  const failAll = (cause: unknown) => {
    worker = undefined;
    const error = new LonghaulError("condense.failed", "the thread that condenses has stopped", { cause });
    for (const { fail } of jobs.values()) fail(error);
    jobs.clear();
  };
  const open = (): Worker => {
    const opened = new Worker(new URL("./worker.ts", import.meta.url));
    opened.on("message", (message: FromWorker) => jobs.get(message.id)?.take(message));
    opened.on("error", failAll);
    opened.on("exit", failAll);
    opened.unref();
    return opened;
  };
  const post = (message: ToWorker) => {
    worker ??= open();
    worker.postMessage(message);
  };
  const run = <T>(message: (id: number) => ToWorker, finish: (from: FromWorker, id: number) => T | undefined) =>
    new Promise<T>((resolve, reject) => {
      const id = ++lastId;
      const take = (from: FromWorker) => {
        if (from.kind === "failed") reject(new LonghaulError("condense.failed", from.message));
        const result = finish(from, id);
        if (result !== undefined) resolve(result);
        if (from.kind !== "asks") jobs.delete(id);
      };
      jobs.set(id, { take, fail: reject });
      post(message(id));
    });
  return {
    condense: (work, answer) =>
      run<Condensed>(
        (id) => ({ kind: "condense", id, work: { ...work, prompt: copied(work.prompt) } }),
        (from, id) => {
          if (from.kind === "asks") void answer(from.asks).then((answers) => post({ kind: "answers", id, answers }));
          return from.kind === "condensed" ? from.condensed : undefined;
        },
      ),
    render: (prompt, projection) =>
      run<Rendering>(
        (id) => ({ kind: "render", id, prompt: copied(prompt), projection }),
        (from) => (from.kind === "rendered" ? from.rendering : undefined),
      ),
    prepare: () => {
      worker ??= open();
    },
    close: async () => {
      await worker?.terminate();
    },
  };
}

/** A body may be a view of something larger, all of which would be copied. */
function copied(prompt: Prompt): Prompt {
  return { ...prompt, body: Uint8Array.from(prompt.body) };
}
