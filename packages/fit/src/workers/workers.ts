import { answerOffline, narrowAsk, type Projection } from "@longhaul/condense/advanced";
import { LonghaulError } from "@longhaul/conversation";
import type { TokenCounters } from "@longhaul/models";
import type { MeasurePiece } from "../history/known-messages.ts";
import type { Rendering } from "../history/parts.ts";
import type { Prompt } from "../history/write-slots.ts";
import { type AskWorkers, charactersIn } from "../summaries/summarizer.ts";
import { type AnswerQuestion, keepThread } from "../threads/thread.ts";
import { makePauses } from "../threads/timing.ts";
import { type Condensed, type CondenseWork, condenseWork, renderWork } from "./work.ts";
import type { FitProtocol } from "./worker.ts";

export type AnswerAsks = AnswerQuestion<FitProtocol>;

/** Does slow work without blocking other requests' streams. */
export interface Workers extends AskWorkers {
  condense(work: CondenseWork, answer: AnswerAsks): Promise<Condensed>;
  render(prompt: Prompt, projection: Projection): Promise<Rendering>;
  readonly measure: MeasurePiece;
  /** Prepares for work on a body of this size. */
  prepare(bytes: number): void;
  close(): Promise<void>;
}

/** Smaller bodies are finished before a thread would have started. */
const INLINE_BYTES = 64 * 1024;

/** Opens the workers. Their thread starts when it is first needed. */
export function openWorkers(counters: TokenCounters, inlineBytes = INLINE_BYTES): Workers {
  const thread = keepThread<FitProtocol>(new URL("./worker.ts", import.meta.url), "condensing");
  return {
    condense: async (work, answer) => {
      const { body, tokenizer, ratio } = work.prompt;
      if (body.length > inlineBytes) {
        const { prompt, memory } = await copied(work.prompt);
        const done = await thread.running().run({ kind: "condense", work: { ...work, prompt } }, answer, memory);
        return done.kind === "condensed" ? done.condensed : wrong(done);
      }
      return await condenseWork(work, await counters.counterFor(tokenizer, ratio), answer);
    },
    render: async (prompt, projection) => {
      if (prompt.body.length > inlineBytes) {
        const { prompt: own, memory } = await copied(prompt);
        const done = await thread.running().run({ kind: "render", prompt: own, projection }, refuseQuestion, memory);
        return done.kind === "rendered" ? done.rendering : wrong(done);
      }
      return renderWork(prompt, projection, await counters.counterFor(prompt.tokenizer, prompt.ratio));
    },
    measure: async (piece) => {
      const bytes = await copyPaced(piece.bytes);
      const done = await thread
        .running()
        .run({ kind: "measure", piece: { ...piece, bytes } }, refuseQuestion, [bytes.buffer]);
      return done.kind === "measured" ? done.measured : wrong(done);
    },
    answerOffline: async (ask, counting) => {
      if (charactersIn(ask) > inlineBytes) {
        const done = await thread.running().run({ kind: "summarize", ask, counting }, refuseQuestion);
        return done.kind === "summarized" ? done.answer : wrong(done);
      }
      return answerOffline(ask, await counters.counterFor(counting.tokenizer, counting.ratio));
    },
    narrowAsk: async (ask, windowTokens, counting) => {
      if (charactersIn(ask) > inlineBytes) {
        const done = await thread.running().run({ kind: "narrow", ask, windowTokens, counting }, refuseQuestion);
        return done.kind === "narrowed" ? done.ask : wrong(done);
      }
      const counter = await counters.counterFor(counting.tokenizer, counting.ratio);
      return narrowAsk(ask, { counter, windowTokens });
    },
    prepare: (bytes) => {
      if (bytes > inlineBytes) thread.running();
    },
    close: thread.close,
  };
}

/** Returns a prompt with a copy of its body, which can be transferred: the client's may be a view of something larger. */
async function copied(prompt: Prompt): Promise<{ readonly prompt: Prompt; readonly memory: ArrayBuffer[] }> {
  const body = await copyPaced(prompt.body);
  return { prompt: { ...prompt, body }, memory: [body.buffer] };
}

const COPIED_AT_ONCE = 4 * 1024 * 1024;

/** Copies bytes with pauses: new memory for 60 MB takes 40 ms. */
async function copyPaced(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const copy = new Uint8Array(bytes.length);
  const pauses = makePauses();
  for (let from = 0; from < bytes.length; from += COPIED_AT_ONCE) {
    copy.set(bytes.subarray(from, from + COPIED_AT_ONCE), from);
    await pauses.take();
  }
  return copy;
}

function refuseQuestion(): Promise<never> {
  return Promise.reject(new LonghaulError("internal.bug", "this job asked a question, which its kind does not allow"));
}

function wrong({ kind }: FitProtocol["done"]): never {
  throw new LonghaulError("internal.bug", `unexpected job result: ${kind}`);
}
