import { makeTokenCounters, type TokenCounters } from "@longhaul/models";
import type { Store } from "@longhaul/store";
import { type FitState, openFitState } from "./fit/state.ts";
import { type KeptResponses, makeKeptResponses } from "./kept-responses.ts";
import { makeKnownMessages, sha256 } from "./known-messages.ts";
import { makePromptTokens, type PromptTokens } from "./prompt-tokens.ts";

/** What is remembered from one request to the next, whatever the configuration. */
export interface Memory {
  readonly counters: TokenCounters;
  readonly prompts: PromptTokens;
  readonly responses: KeptResponses;
  readonly fitting: FitState;
  /** Waits for what is under way, and closes what was opened; the store stays open. */
  close(): Promise<void>;
}

/** Opens a memory over a store. */
export async function openMemory(store: Store, nowMs: () => number): Promise<Memory> {
  const counters = makeTokenCounters({ hash: sha256 });
  const known = makeKnownMessages();
  const fitting = await openFitState({ store, counters, known, nowMs });
  return {
    counters,
    prompts: makePromptTokens(known),
    responses: makeKeptResponses({ nowMs }),
    fitting,
    close: () => fitting.close(),
  };
}
