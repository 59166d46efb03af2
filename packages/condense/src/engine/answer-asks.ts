import type { TokenCounter } from "@longhaul/models";
import { answerOffline } from "../coverage/digest.ts";
import type { Answer, Ask } from "../edits/edit.ts";
import type { RunSteps } from "./run.ts";

/** Who answers asks. */
export interface AnsweringContext {
  readonly counter: TokenCounter;
  /** Answers one ask, usually by calling a model. Without it summaries are made without a model; when it fails, so does the pass. */
  readonly summarize?: (ask: Ask) => Promise<Answer>;
}

/** Brings a run to its end, answering its asks by a summariser or without one. */
export async function answerAsks<T>(running: RunSteps<T>, summarizing: AnsweringContext): Promise<T> {
  return await drive(running, (asks) => Promise.all(asks.map((ask) => answerWith(summarizing, ask))));
}

/** Brings a run to its end, answering each batch of asks as it comes. */
export async function drive<T>(
  running: RunSteps<T>,
  answer: (asks: readonly Ask[]) => Promise<readonly Answer[]>,
): Promise<T> {
  let step = running.next();
  while (step.done !== true) step = running.next(await answer(step.value));
  return step.value;
}

/** Does the same at once, if nobody is waited for. */
export function driveSync<T>(running: RunSteps<T>, answer: (ask: Ask) => Answer): T {
  let step = running.next();
  while (step.done !== true) step = running.next(step.value.map(answer));
  return step.value;
}

async function answerWith({ summarize, counter }: AnsweringContext, ask: Ask): Promise<Answer> {
  if (summarize === undefined) return answerOffline(ask, counter);
  try {
    return await summarize(ask);
  } catch (error) {
    return { kind: "failed", why: `the summariser failed: ${error instanceof Error ? error.message : String(error)}` };
  }
}
