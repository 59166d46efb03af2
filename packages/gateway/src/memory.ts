import { makeTokenCounters, type TokenCounters } from "@longhaul/models";
import { type KeptResponses, makeKeptResponses } from "./kept-responses.ts";
import { makeKnownMessages, sha256 } from "./known-messages.ts";
import { makePromptTokens, type PromptTokens } from "./prompt-tokens.ts";

/** What is remembered from one request to the next, whatever the configuration. */
export interface Memory {
  readonly counters: TokenCounters;
  readonly prompts: PromptTokens;
  readonly responses: KeptResponses;
}

/** Opens an empty memory. */
export function openMemory(nowMs: () => number): Memory {
  return {
    counters: makeTokenCounters({ hash: sha256 }),
    prompts: makePromptTokens(makeKnownMessages()),
    responses: makeKeptResponses({ nowMs }),
  };
}
