import { setImmediate as pause } from "node:timers/promises";
import type { Answer, Ask } from "@longhaul/condense";
import type { Usage } from "@longhaul/conversation";
import type { TokenCounter, TokenCounters, Tokenizer } from "@longhaul/models";
import type { ContextConfig } from "@longhaul/settings";
import type { Codec } from "@longhaul/wire";
import type { Destination, Destinations } from "../destinations/destination.ts";
import type { Call } from "../request/call.ts";

/**
 * Answers the asks of one condensation. It never rejects: who fails gives way to the next in the chain, and at its end the summary is made
 * without a model. An answer of the kind `failed` means that the signal was aborted.
 */
export interface Summarizer {
  answer(ask: Ask, signal: AbortSignal): Promise<Answer>;
}

/** What a summariser needs to know of the conversation, and what it takes from outside. */
export interface SummarizerContext {
  readonly snapshot: Destinations & { readonly log: { bug(error: unknown, id: string): void } };
  /** The conversation's own upstream and model. */
  readonly destination: Destination;
  /** The client's call: its credential is passed on where the upstream has no key of its own. */
  readonly call: Pick<Call, "id" | "headers" | "endpoint">;
  readonly settings: Pick<ContextConfig, "summarizer">;
  readonly counters: TokenCounters;
  /** Tokens of a model for one of its encoding, as far as they were learned. */
  ratioOf?(destination: Destination): number | undefined;
  /** Absent where the conversation does not fit or is not in the vendor's cache. */
  readonly sent?: SentRequest;
  /** How many tokens prompt and answer may have there together. */
  windowOf(destination: Destination): number;
  /** Told what each ask will likely cost, before it is asked. @default nobody */
  readonly expect?: (usd: number) => void;
  /** Called once for each ask, when it is answered. */
  note(note: SummaryNote): void;
  readonly nowMs: () => number;
  readonly random: () => number;
  /** Waits; ends early, with an error, when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** How long one call may take. @default two minutes */
  readonly timeoutMs?: number;
  /** Does what takes a second for a million tokens, on another thread: summaries without a model, and asks made small enough for one. */
  readonly workers: AskWorkers;
}

/** How a model counts tokens. */
export interface Counting {
  readonly tokenizer: Tokenizer;
  readonly ratio?: number | undefined;
}

/** Work on asks that takes long. */
export interface AskWorkers {
  /** Makes a summary without a model. */
  answerOffline(ask: Ask, counting: Counting): Promise<Answer>;
  /** Makes an ask small enough for a model's window. */
  narrowAsk(ask: Ask, windowTokens: number, counting: Counting): Promise<Ask>;
}

/** A request as it goes out, whose prefix is warm in the vendor's cache. */
export interface SentRequest {
  readonly body: Uint8Array;
  /** What it is sent with: a beta's header and its fields in the body belong together. */
  readonly headers: Call["headers"];
  /** Of the destination's wire. */
  readonly codec: Codec;
  /** All of its prompt. */
  readonly tokens: number;
}

/** How a model is asked: below the bytes that it has cached, or with the messages written out as text. */
export type AskForm = "appended" | "text";

/** Somebody who may write a summary. */
export type Writer =
  | {
      readonly kind: "model";
      readonly upstream: string;
      readonly model: string;
      readonly form: AskForm;
      readonly profile?: string;
    }
  /** A profile that could not even be asked. */
  | { readonly kind: "profile"; readonly profile: string }
  | { readonly kind: "offline" };

/** What became of one ask, for the log and the report. */
export interface SummaryNote {
  /** Nobody where it was called off. */
  readonly writer?: Writer;
  /** Those who failed before, in order. */
  readonly failures: readonly WriterFailure[];
  /** What all calls consumed together, those that failed included. */
  readonly usage: Usage;
  /** What they cost together; a model without a known price costs nothing. */
  readonly costUsd: number;
  readonly milliseconds: number;
}

/** Why somebody did not write the summary. */
export interface WriterFailure {
  readonly writer: Writer;
  readonly why: string;
}

/** How large what a summary stands for is: the messages, and the summary that it takes the place of. */
export function inputTokens({ messages, previous = "" }: Ask, counter: TokenCounter): number {
  return messages.reduce((sum, message) => sum + counter.countMessage(message), counter.countText(previous));
}

/** How large an ask is when its messages are written out: rules and roles take no more than in the messages themselves. */
export function askTokens(ask: Ask, counter: TokenCounter): number {
  return inputTokens(ask, counter) + counter.countText(ask.instructions);
}

/** About four milliseconds of counting. */
const TOKENS_BETWEEN_PAUSES = 20_000;

/** Counts the messages of an ask once, with pauses in which others get their turn: the counter remembers what they come to. */
export async function countWithPauses({ messages }: Ask, counter: TokenCounter): Promise<void> {
  let tokens = 0;
  for (const message of messages) {
    tokens += counter.countMessage(message);
    if (tokens < TOKENS_BETWEEN_PAUSES) continue;
    tokens = 0;
    await pause();
  }
}

/** Counts the characters of an ask, about. */
export function charactersIn(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  let sum = 0;
  for (const inner of Object.values(value)) sum += charactersIn(inner);
  return sum;
}
