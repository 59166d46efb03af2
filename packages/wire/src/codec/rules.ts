import type {
  BlockType,
  Effort,
  Reasoning,
  RedactedThinkingBlock,
  Request,
  Role,
  Sampling,
  ThinkingBlock,
  WireId,
} from "@longhaul/conversation";

/** What happens to a thing that a format has no words for. `refuse` is an error `request.unsupported`, `drop` a warning. */
type Lack = "drop" | "refuse";

/** The things that not every format has words for. */
export type Feature =
  | "sampling.topK"
  | "sampling.frequencyPenalty"
  | "sampling.presencePenalty"
  | "sampling.seed"
  | "sampling.stopSequences"
  | "parallelToolCalls"
  | "outputFormat.json"
  | "user"
  | "image.detail"
  | "image.file"
  | "image.url"
  | "document.context"
  | "document.title"
  | "document.url";

/** What one format cannot express or does not allow; the only place where formats differ in how a request is adapted to them. */
export interface Rules {
  readonly wire: WireId;
  /** Whose signatures the format carries without a tag. */
  readonly vendor: string;
  readonly lacks: Readonly<Partial<Record<Feature, Lack>>>;
  /** Neighbours of these roles are written as one message. */
  readonly merges: readonly Role[];
  readonly opensWithUser: boolean;
  /** Whether system messages may stand in mid-conversation; `client` where only some models take them. */
  readonly systemMessages: boolean | "client";
  /** Whether a text of white space only is an error. */
  readonly refusesBlankText: boolean;
  /** Whether results must stand right after their calls, before anything else. */
  readonly resultsAdjacent: boolean;
  /** Whether the format carries its vendor's own compactions. */
  readonly compaction: boolean;
  /** Whether tools may take free text. */
  readonly freeTextTools: boolean;
  readonly callIds?: NameRule;
  readonly toolNames: NameRule;
  readonly cacheMarks: "none" | "cache_control";
  readonly maxCacheMarks: number;
  /** What can carry a cache mark: a tool, or a block of one of these types. */
  readonly markable: ReadonlySet<BlockType | "tool">;
  readonly maxStopSequences: number;
  readonly maxTemperature: number;
  readonly maxUserChars: number;
  readonly reasoning: ReasoningRules;
  /** Settles what the format refuses in combination, as the last step. */
  adaptLast?(request: Request, context: AdaptContext): Request;
  /** Whether a thinking block may be sent back to this target. */
  acceptsThinking(block: ThinkingBlock | RedactedThinkingBlock, context: AdaptContext): boolean;
}

/** Which names a format takes. */
export interface NameRule {
  readonly illegal: RegExp;
  readonly maxChars: number;
  /** Names that only clients of the format itself have: it spells them in its own way. */
  readonly own?: RegExp;
}

/** What an adapting step knows. */
export interface AdaptContext {
  readonly rules: Rules;
  readonly destination: WireDestination;
  /** Whose signatures the target reads. */
  readonly vendor: string;
  /** Whether the request came in the format that it goes out in. */
  readonly isNative: boolean;
  readonly warn: Warn;
}

/** What a target could not be told as the client said it. */
export interface Warning {
  /** What it is about, for instance `sampling.topK`, `block.thinking` or `field.service_tier`. */
  readonly feature: string;
  readonly action: "dropped" | "changed";
  readonly message: string;
  /** How often it happened in this request. */
  readonly count: number;
}

/** Notes one more warning. */
export type Warn = (warning: Omit<Warning, "count">) => void;

/** Collects warnings; the same one twice is counted, not repeated. */
export function collectWarnings(): { readonly warn: Warn; readonly warnings: () => readonly Warning[] } {
  const found = new Map<string, Warning>();
  return {
    warn: (warning) => {
      const key = `${warning.feature} ${warning.message}`;
      found.set(key, { ...warning, count: (found.get(key)?.count ?? 0) + 1 });
    },
    warnings: () => [...found.values()],
  };
}

/** What an encoder must know of the model and the server that it writes for. Everything but `model` has a default. */
export interface WireDestination {
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
export interface EncodeOptions {
  /** Whose signatures need no tag. */
  readonly vendor: string;
  /** Whether fields that the canonical model has no name for are written: only to the format that they came from. */
  readonly extras: boolean;
}
