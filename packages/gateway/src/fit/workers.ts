import type { Projection } from "@longhaul/condense";
import type { TokenCounters } from "@longhaul/models";
import type { Rendering } from "./parts.ts";
import type { Prompt } from "./prompt.ts";
import { type AnswerAsks, Thread } from "./thread.ts";
import { type Condensed, type CondenseWork, condenseWork, renderWork } from "./work.ts";

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

/** Opens the place where such work is done. The thread is started when it is first needed, and again after it has stopped. */
export function openWorkers(counters: TokenCounters, inlineBytes = INLINE_BYTES): Workers {
  let running: Thread | undefined;
  const start = (): Thread => {
    const started = new Thread(() => {
      if (running === started) running = undefined;
    });
    return started;
  };
  const thread = (): Thread => {
    running ??= start();
    return running;
  };
  return {
    condense: async (work, answer) => {
      const { body, tokenizer, ratio } = work.prompt;
      if (body.length > inlineBytes) return await thread().condense(work, answer);
      const run = condenseWork(work, await counters.counterFor(tokenizer, ratio));
      let step = run.next();
      while (step.done !== true) step = run.next(await answer(step.value));
      return step.value;
    },
    render: async (prompt, projection) => {
      if (prompt.body.length > inlineBytes) return await thread().render(prompt, projection);
      return renderWork(prompt, projection, await counters.counterFor(prompt.tokenizer, prompt.ratio));
    },
    prepare: (bytes) => {
      if (bytes > inlineBytes) thread();
    },
    close: async () => {
      await running?.close();
    },
  };
}
