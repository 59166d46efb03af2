import type { TokenCounter } from "@longhaul/models";
import { answerOffline } from "../coverage/digest.ts";
import type { Answer, Ask } from "../edits/edit.ts";
import type { Running } from "./run.ts";

/** Who answers asks. */
export interface Summarizing {
  readonly counter: TokenCounter;
  /** Answers one ask, usually by calling a model. Without it summaries are made without a model; when it fails, so does the pass. */
  readonly summarize?: (ask: Ask) => Promise<Answer>;
}

/** Brings a run to its end, answering each batch of asks as it comes. */
export async function answerAsks<T>(running: Running<T>, summarizing: Summarizing): Promise<T> {
  const answer = (ask: Ask) => answerWith(summarizing, ask);
  let step = running.next();
  while (step.done !== true) step = running.next(await Promise.all(step.value.map(answer)));
  return step.value;
}

async function answerWith({ summarize, counter }: Summarizing, ask: Ask): Promise<Answer> {
  if (summarize === undefined) return answerOffline(ask, counter);
  try {
    return await summarize(ask);
  } catch (error) {
    return { kind: "failed", why: `the summariser failed: ${error instanceof Error ? error.message : String(error)}` };
  }
}
