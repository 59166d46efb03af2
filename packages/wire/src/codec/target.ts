import type { Effort, Reasoning, Sampling } from "@longhaul/conversation";

/** What an encoder must know of the model and the server that it writes for. Everything but `model` has a default. */
export interface Target {
  /** The model's name as the upstream knows it. */
  readonly model: string;
  /** Whose signatures the upstream reads: `anthropic`, `openai`, `google`, `openrouter`… @default the format's own vendor */
  readonly vendor?: string;
  /** The most that one reply may have: a cap, and the value for formats that demand one. */
  readonly maxOutputTokens?: number;
  /** Sampling parameters that the model answers with an error. */
  readonly rejects?: readonly (keyof Sampling)[];
  /** How the model can be told to think. @default what the format has words for */
  readonly reasoning?: ReasoningRules;
  /** Whether the model may be made to call a tool. @default true */
  readonly forcedToolChoice?: boolean;
  /** Whether a conversation may end with the assistant's words. @default true */
  readonly prefill?: boolean;
  /** Whether system messages may stand in mid-conversation. @default true, for Anthropic and Gemini as the client did */
  readonly systemMessages?: boolean;
  /** What a chat or Responses server calls the system's role. @default `system` */
  readonly systemRole?: "system" | "developer";
  /** How a chat server takes the output limit. @default `max_completion_tokens` */
  readonly maxTokensField?: "max_tokens" | "max_completion_tokens";
  /** How a chat server is told to think. @default `reasoning_effort` */
  readonly reasoningField?: "reasoning_effort" | "reasoning";
  /** Where a chat server reads earlier thinking. @default nowhere */
  readonly thinkingField?: "reasoning_content" | "reasoning" | "reasoning_details";
  /** Of which calls a chat server refuses to get those back without their thinking that had some: all, or those of the loop under way. @default none */
  readonly demandsThinking?: "always" | "in-loop";
  /** How cache marks are spelled. @default `cache_control` for Anthropic, none elsewhere */
  readonly cacheMarks?: "none" | "cache_control" | "prompt_cache_breakpoint";
  /** Whether a chat stream is asked for its usage even where the client didn't. @default false */
  readonly streamUsage?: boolean;
  /** Whether a server that counts sampling by rank takes `top_k` in the chat format. @default false */
  readonly topK?: boolean;
  /** Whether every round of calls must carry a thought signature (Gemini 3 and later). @default false */
  readonly signedCalls?: boolean;
}

/** How a model can be told to think. */
export interface ReasoningRules {
  readonly modes: readonly Reasoning["mode"][];
  /** The levels that it knows, from low to high. @default all of its format's */
  readonly efforts?: readonly Effort[];
  readonly minBudgetTokens?: number;
  readonly maxBudgetTokens?: number;
}

/** For whom blocks are written. */
export interface Audience {
  /** Whose signatures need no tag. */
  readonly vendor: string;
  /** Whether fields that the canonical model has no name for are written: only to the format that they came from. */
  readonly extras: boolean;
}
