import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Answer, type Ask, answerOffline, narrowAsk, type Projection } from "@longhaul/condense/advanced";
import { makeTokenCounters } from "@longhaul/models";
import { type Measured, measurePiece, type Piece, sha256 } from "../history/known-messages.ts";
import type { Rendering } from "../history/parts.ts";
import type { Prompt } from "../history/write-slots.ts";
import { type Counting, charactersIn } from "../summaries/summarizer.ts";
import { loadStrategiesOfThread } from "../threads/strategy-modules.ts";
import { serveJobs } from "../threads/thread.ts";
import { type Condensed, type CondenseWork, condenseWork, renderWork } from "./work.ts";

export interface FitProtocol {
  readonly job:
    | { readonly kind: "condense"; readonly work: CondenseWork }
    | { readonly kind: "render"; readonly prompt: Prompt; readonly projection: Projection }
    | { readonly kind: "measure"; readonly piece: Piece }
    | { readonly kind: "summarize"; readonly ask: Ask; readonly counting: Counting }
    | { readonly kind: "narrow"; readonly ask: Ask; readonly windowTokens: number; readonly counting: Counting };
  readonly question: readonly Ask[];
  readonly answer: readonly Answer[];
  readonly done:
    | { readonly kind: "condensed"; readonly condensed: Condensed }
    | { readonly kind: "rendered"; readonly rendering: Rendering }
    | { readonly kind: "measured"; readonly measured: Measured }
    | { readonly kind: "summarized"; readonly answer: Answer }
    | { readonly kind: "narrowed"; readonly ask: Ask };
}

loadStrategiesOfThread();
const counters = makeTokenCounters({ hash: sha256 });

serveJobs<FitProtocol>(async (job, ask) => {
  collectAfter(job);
  if (job.kind === "measure") {
    return { kind: "measured", measured: measurePiece(job.piece, await counters.counterFor(job.piece.tokenizer)) };
  }
  if (job.kind === "summarize" || job.kind === "narrow") {
    const counter = await counters.counterFor(job.counting.tokenizer, job.counting.ratio);
    if (job.kind === "summarize") return { kind: "summarized", answer: answerOffline(job.ask, counter) };
    return { kind: "narrowed", ask: narrowAsk(job.ask, { counter, windowTokens: job.windowTokens }) };
  }
  const { prompt } = job.kind === "condense" ? job.work : job;
  const counter = await counters.counterFor(prompt.tokenizer, prompt.ratio);
  if (job.kind === "render") return { kind: "rendered", rendering: renderWork(prompt, job.projection, counter) };
  const condensed = await condenseWork(job.work, counter, (asks) => ask(asks.map(lean)));
  return { kind: "condensed", condensed };
});

const LARGE_BYTES = 1024 * 1024;
const IDLE_MS = 1_000;
let collecting: NodeJS.Timeout | undefined;

/** Frees the memory of large jobs when there are no more of them: an idle thread does not collect its garbage by itself. */
function collectAfter(job: FitProtocol["job"]): void {
  if (bytesOf(job) < LARGE_BYTES) return;
  clearTimeout(collecting);
  collecting = setTimeout(collectGarbage, IDLE_MS);
}

function bytesOf(job: FitProtocol["job"]): number {
  if (job.kind === "measure") return job.piece.bytes.length;
  if (job.kind === "summarize" || job.kind === "narrow") return charactersIn(job.ask);
  return (job.kind === "render" ? job.prompt : job.work.prompt).body.length;
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc()");
}

/** Asks are sent to the gateway's thread, which should not spend time on copying native values. */
function lean(ask: Ask): Ask {
  const messages = ask.messages.map(({ role, blocks }) => ({
    role,
    blocks: blocks.map((block) => {
      if (block.type === "opaque") return block;
      const { native: _, ...rest } = block;
      return rest;
    }),
  }));
  return { ...ask, messages };
}
