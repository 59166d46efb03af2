import { setImmediate as pause } from "node:timers/promises";
import type { Answer, Ask } from "@longhaul/condense";
import type { Usage } from "@longhaul/conversation";
import type { TokenCounter, TokenCounters, Tokenizer } from "@longhaul/models";
import type { ContextConfig } from "@longhaul/settings";
import type { Codec } from "@longhaul/wire";
import type { Destination, Destinations } from "../destinations/destination.ts";
import type { Call } from "../request/call.ts";
import type { CostSource, SummaryCosts } from "./summary-costs.ts";

/**
 * Answers the asks of one condensation. Never rejects: after a failure the next writer is tried, and the last one needs no model. An answer
 * of the kind `failed` means that the signal was aborted.
 */
export interface Summarizer {
  answer(ask: Ask, signal: AbortSignal): Promise<Answer>;
}

/** The conversation that a summariser works for, and the context of its calls. */
export interface SummarizerContext {
  readonly snapshot: Destinations & { readonly log: { bug(error: unknown, id: string): void } };
  /** The conversation's own upstream and model. */
  readonly destination: Destination;
  /** The client's call. Its credential is passed on if the upstream has no key. */
  readonly call: Pick<Call, "id" | "headers" | "endpoint">;
  readonly settings: Pick<ContextConfig, "summarizer">;
  readonly counters: TokenCounters;
  /** Returns a model's learned tokens per token of its encoding. */
  ratioOf?(destination: Destination): number | undefined;
  /** Absent if the conversation does not fit or is not in the vendor's cache. */
  readonly sent?: SentRequest;
  /** Returns the window for prompt and answer together. */
  windowOf(destination: Destination): number;
  /** Called with an estimate of each ask's cost before it is sent. @default not called */
  readonly expect?: (usd: number) => void;
  /** Corrects the estimates by earlier summaries. @default they are not corrected */
  readonly costs?: SummaryCosts;
  /** Called once for each ask, when it is answered. */
  note(note: SummaryNote): void;
  readonly nowMs: () => number;
  readonly random: () => number;
  /** Rejects when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Time limit of one call. @default two minutes */
  readonly timeoutMs?: number;
  /** Runs on another thread what takes a second per million tokens: summaries without a model, and shortening asks. */
  readonly workers: AskWorkers;
}

export interface Counting {
  readonly tokenizer: Tokenizer;
  readonly ratio?: number | undefined;
}

export interface AskWorkers {
  /** Writes a summary without a model. */
  answerOffline(ask: Ask, counting: Counting): Promise<Answer>;
  /** Shortens an ask to a model's window. */
  narrowAsk(ask: Ask, windowTokens: number, counting: Counting): Promise<Ask>;
}

/** A sent request whose prefix is in the vendor's cache. */
export interface SentRequest {
  readonly body: Uint8Array;
  /** Its headers. A beta's header and its fields in the body belong together. */
  readonly headers: Call["headers"];
  readonly codec: Codec;
  /** Tokens of its whole prompt. */
  readonly tokens: number;
}

export type Writer =
  | (CostSource & {
      readonly kind: "model";
      readonly profile?: string;
    })
  /** A profile that cannot be used. */
  | { readonly kind: "profile"; readonly profile: string }
  | { readonly kind: "offline" };

/** The outcome of one ask, for the log and the report. */
export interface SummaryNote {
  /** Absent if it was aborted. */
  readonly writer?: Writer;
  /** The writers that failed before, in order. */
  readonly failures: readonly WriterFailure[];
  /** The usage of all calls, failed ones included. */
  readonly usage: Usage;
  /** The cost of all calls. A model without a known price costs nothing. */
  readonly costUsd: number;
  readonly milliseconds: number;
}

/** The reason why a writer did not write the summary. */
export interface WriterFailure {
  readonly writer: Writer;
  readonly why: string;
}

/** Returns the size of the replaced content: the messages and the previous summary. */
export function inputTokens({ messages, previous = "" }: Ask, counter: TokenCounter): number {
  return messages.reduce((sum, message) => sum + counter.countMessage(message), counter.countText(previous));
}

/** Returns the size of an ask with its messages rendered. Rules and roles take no more than in the messages themselves. */
export function askTokens(ask: Ask, counter: TokenCounter): number {
  return inputTokens(ask, counter) + counter.countText(ask.instructions);
}

/** About four milliseconds of counting. */
const TOKENS_BETWEEN_PAUSES = 20_000;

/** Counts the messages of an ask once, with pauses for other work. The counter remembers the results. */
export async function countWithPauses({ messages }: Ask, counter: TokenCounter): Promise<void> {
  let tokens = 0;
  for (const message of messages) {
    tokens += counter.countMessage(message);
    if (tokens < TOKENS_BETWEEN_PAUSES) continue;
    tokens = 0;
    await pause();
  }
}

/** Returns the approximate number of characters in an ask. */
export function charactersIn(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  let sum = 0;
  for (const inner of Object.values(value)) sum += charactersIn(inner);
  return sum;
}
