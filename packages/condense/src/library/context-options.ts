import { type Hash, LonghaulError, type Message, table } from "@longhaul/conversation/advanced";
import type { TokenCounter } from "@longhaul/models";
import { type Budget, budgetOf } from "../budget/budget.ts";
import type { Strategy } from "../contract/strategy.ts";
import { answerOffline } from "../coverage/digest.ts";
import type { Answer, Ask } from "../edits/edit.ts";
import { findStrategy } from "../registry.ts";
import { sandwich } from "../strategies/sandwich.ts";
import type { ContextState } from "./context-state.ts";

/** Options of `buildContext`. Any other option throws `VALIDATION_ERROR`. */
export interface ContextOptions {
  readonly maxContextTokens: number;
  readonly counter: TokenCounter;
  /** Milliseconds since 1970, for the timestamp of a new state. */
  readonly now: () => number;
  /** A strategy or its id. @default `sandwich`, with `userShare: 0` */
  readonly strategy?: string | Strategy;
  /** The strategy's configuration; its defaults fill the gaps. */
  readonly config?: unknown;
  /** Share of the context, 0 to 1, above which it is compressed. @default 0.7 */
  readonly compressionThreshold?: number;
  /** Answers the ask for a summary, usually by calling a model. Without it, summaries are written without a model. */
  readonly summarize?: (ask: Ask) => Promise<Answer>;
  readonly hash?: Hash;
}

/** Options of `compress`: those of `buildContext` with `sandwich`, the only strategy that it uses. */
export type CompressOptions = Omit<ContextOptions, "strategy">;

/** The messages to send, and the state to store for the next turn. */
export interface ContextResult {
  readonly messages: readonly Message[];
  readonly summaryUsed: boolean;
  readonly tokensUsed: number;
  /** Set if the messages were condensed: the state that replaces the earlier one. */
  readonly newState: ContextState | undefined;
}

const KNOWN_OPTIONS: Readonly<Record<keyof ContextOptions, true>> = table({
  maxContextTokens: true,
  counter: true,
  now: true,
  strategy: true,
  config: true,
  compressionThreshold: true,
  summarize: true,
  hash: true,
});

/** Throws `VALIDATION_ERROR` for unknown options, so that a misspelled one is not ignored. `except` is treated as unknown too. */
export function requireKnownOptions(options: CompressOptions, except?: keyof ContextOptions): void {
  const known = Object.keys(KNOWN_OPTIONS).filter((name) => name !== except);
  const unknown = Object.keys(options).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const names = unknown.map((name) => `"${name}"`).join(", ");
  const what = `unknown ${unknown.length === 1 ? "option" : "options"} ${names}`;
  throw new LonghaulError("VALIDATION_ERROR", `${what}; known options: ${known.join(", ")}`);
}

/** Returns the chosen strategy. Throws `settings.invalid` if it is unknown or rejects its configuration. */
export function strategyOf({ strategy = sandwich, config }: ContextOptions): Strategy {
  const chosen = typeof strategy === "string" ? findStrategy(strategy) : strategy;
  chosen.passes(config);
  return chosen;
}

const DEFAULT_THRESHOLD = 0.7;

export function isOverThreshold(messages: readonly Message[], options: ContextOptions): boolean {
  const { maxContextTokens, compressionThreshold = DEFAULT_THRESHOLD } = options;
  return tokensIn(messages, options) > Math.floor(maxContextTokens * compressionThreshold);
}

function tokensIn(messages: readonly Message[], { counter }: ContextOptions): number {
  return messages.reduce((sum, message) => sum + counter.countMessage(message), 0);
}

/** Returns the budget of a context in which nothing is reserved for the reply. */
export function contextBudget(options: ContextOptions): Budget {
  const { maxContextTokens, compressionThreshold = DEFAULT_THRESHOLD } = options;
  return budgetOf({ windowTokens: maxContextTokens, reservedTokens: 0, thresholdPercent: compressionThreshold * 100 });
}

export function resultOf(messages: readonly Message[], summaryUsed: boolean, options: ContextOptions): ContextResult {
  return { messages, summaryUsed, tokensUsed: tokensIn(messages, options), newState: undefined };
}

type TextAnswer = Extract<Answer, { kind: "text" }>;

/** Answers an ask. Throws `SERVICE_UNAVAILABLE` if the model fails or returns nothing. */
export async function answer(ask: Ask, { summarize, counter }: ContextOptions): Promise<TextAnswer> {
  const given = summarize === undefined ? answerOffline(ask, counter) : await summarize(ask).catch(unavailable);
  if (given.kind !== "text") return unavailable(given.kind === "failed" ? given.why : "the answer is not a text");
  if (given.text.trim() === "") return unavailable("the answer is empty");
  return { ...given, text: given.text.trim() };
}

function unavailable(cause: unknown): never {
  const why = cause instanceof Error ? cause.message : String(cause);
  throw new LonghaulError("SERVICE_UNAVAILABLE", `could not summarize the conversation: ${why}`, { cause });
}
