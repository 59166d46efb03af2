import type { Projection } from "@longhaul/condense";
import { LonghaulError } from "@longhaul/conversation";
import type { TokenCounters } from "@longhaul/models";
import { keepThread } from "../kept-thread.ts";
import type { AnswerQuestion } from "../thread.ts";
import type { Rendering } from "./parts.ts";
import type { Prompt } from "./prompt.ts";
import { type Condensed, type CondenseWork, condenseWork, renderWork } from "./work.ts";
import type { FitTrade } from "./worker.ts";

/** Answers a batch of asks. */
export type AnswerAsks = AnswerQuestion<FitTrade>;

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

/** Opens the place where such work is done. */
export function openWorkers(counters: TokenCounters, inlineBytes = INLINE_BYTES): Workers {
  const thread = keepThread<FitTrade>(new URL("./worker.ts", import.meta.url), "condensing");
  return {
    condense: async (work, answer) => {
      const { body, tokenizer, ratio } = work.prompt;
      if (body.length > inlineBytes) {
        const done = await thread
          .running()
          .run({ kind: "condense", work: { ...work, prompt: copied(work.prompt) } }, answer);
        return done.kind === "condensed" ? done.condensed : wrong(done);
      }
      const run = condenseWork(work, await counters.counterFor(tokenizer, ratio));
      let step = run.next();
      while (step.done !== true) step = run.next(await answer(step.value));
      return step.value;
    },
    render: async (prompt, projection) => {
      if (prompt.body.length > inlineBytes) {
        const done = await thread.running().run({ kind: "render", prompt: copied(prompt), projection }, askNobody);
        return done.kind === "rendered" ? done.rendering : wrong(done);
      }
      return renderWork(prompt, projection, await counters.counterFor(prompt.tokenizer, prompt.ratio));
    },
    prepare: (bytes) => {
      if (bytes > inlineBytes) thread.running();
    },
    close: thread.close,
  };
}

/** A body may be a view of something larger, all of which would be copied. */
function copied(prompt: Prompt): Prompt {
  return { ...prompt, body: Uint8Array.from(prompt.body) };
}

function askNobody(): Promise<never> {
  return Promise.reject(new LonghaulError("internal.bug", "nothing is to be asked"));
}

function wrong({ kind }: FitTrade["done"]): never {
  throw new LonghaulError("internal.bug", `a job came to ${kind}`);
}
