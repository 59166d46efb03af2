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
} from "@longhaul/conversation/advanced";

/** Features that some formats lack. */
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

/** Limits of a format. Adapting a request depends on the format only through these rules. */
export interface Rules {
  readonly wire: WireId;
  /** Whose signatures the format carries without a tag. */
  readonly vendor: string;
  /** Features that the format lacks: they are dropped with a warning, or throw `request.unsupported`. */
  readonly lacks: Readonly<Partial<Record<Feature, "drop" | "refuse">>>;
  /** Adjacent messages of these roles are merged into one. */
  readonly merges: readonly Role[];
  readonly opensWithUser: boolean;
  /** Whether the format allows system messages after the start. `client`: only some models do, so trust a client of the same format. */
  readonly systemMessages: boolean | "client";
  /** Whether the API rejects text that is only whitespace. */
  readonly refusesBlankText: boolean;
  /** Whether tool results must directly follow their calls. */
  readonly resultsAdjacent: boolean;
  /** Whether the format carries its vendor's compaction blocks. */
  readonly compaction: boolean;
  /** Whether the format has tools with free-text input. */
  readonly freeTextTools: boolean;
  readonly callIds?: NameRule;
  readonly toolNames: NameRule;
  readonly cacheMarks: "none" | "cache_control";
  readonly maxCacheMarks: number;
  /** Block types, and `tool`, that can carry a cache mark. */
  readonly markable: ReadonlySet<BlockType | "tool">;
  readonly maxStopSequences: number;
  readonly maxTemperature: number;
  readonly maxUserChars: number;
  readonly reasoning: ReasoningRules;
  /** Format-specific changes, applied last: mostly combinations of settings that the API rejects. */
  adaptLast?(request: Request, context: AdaptContext): Request;
  /** Whether a thinking block may be sent back to this destination. */
  acceptsThinking(block: ThinkingBlock | RedactedThinkingBlock, context: AdaptContext): boolean;
}

/** The names that a format accepts. */
export interface NameRule {
  readonly illegal: RegExp;
  readonly maxChars: number;
  /** Names outside the rule that the format accepts from its own clients. */
  readonly own?: RegExp;
}

/** Input of each adapting step. */
export interface AdaptContext {
  readonly rules: Rules;
  readonly destination: WireDestination;
  /** The vendor whose signatures the destination accepts. */
  readonly vendor: string;
  /** Whether the client uses the same format as the destination. */
  readonly isNative: boolean;
  readonly warn: Warn;
}

/** A setting or content that was dropped or changed for a destination. */
export interface Warning {
  /** Such as `sampling.topK`, `block.thinking` or `field.service_tier`. */
  readonly feature: string;
  readonly action: "dropped" | "changed";
  readonly message: string;
  /** Number of occurrences in this request. */
  readonly count: number;
}

/** Records a warning. */
export type Warn = (feature: string, action: Warning["action"], message: string) => void;

/** Collects warnings. Repeated warnings are counted, not listed again. */
export function collectWarnings(): { readonly warn: Warn; readonly warnings: () => readonly Warning[] } {
  const found = new Map<string, Warning>();
  return {
    warn: (feature, action, message) => {
      const key = `${feature} ${message}`;
      found.set(key, { feature, action, message, count: (found.get(key)?.count ?? 0) + 1 });
    },
    warnings: () => [...found.values()],
  };
}

/** The model and server that a request is encoded for. Every field except `model` is optional. */
export interface WireDestination {
  /** The upstream's name for the model. */
  readonly model: string;
  /** The vendor whose signatures the upstream accepts: `anthropic`, `openai`, `google`, `openrouter`… @default the format's vendor */
  readonly vendor?: string;
  /** Upper bound for the reply, and the value for formats that require one. */
  readonly maxOutputTokens?: number;
  /** Sampling parameters that the model rejects. */
  readonly rejects?: readonly (keyof Sampling)[];
  /** The model's reasoning controls. @default the format's */
  readonly reasoning?: ReasoningRules;
  /** Whether the model supports a forced tool call. @default true */
  readonly forcedToolChoice?: boolean;
  /** Whether a conversation may end with an assistant message. @default true */
  readonly prefill?: boolean;
  /** Whether system messages are allowed after the start. @default the format's rule */
  readonly systemMessages?: boolean;
  /** The role name of system messages in the chat and Responses formats. @default `system` */
  readonly systemRole?: "system" | "developer";
  /** The field for the output limit in the chat format. @default `max_completion_tokens` */
  readonly maxTokensField?: "max_tokens" | "max_completion_tokens";
  /** The field for reasoning in the chat format. @default `reasoning_effort` */
  readonly reasoningField?: "reasoning_effort" | "reasoning";
  /** The field for earlier thinking in the chat format. @default none */
  readonly thinkingField?: "reasoning_content" | "reasoning" | "reasoning_details";
  /** Calls that a chat server rejects without their thinking: all calls, or those of the current tool loop. @default none */
  readonly demandsThinking?: "always" | "in-loop";
  /** The field for cache marks. @default `cache_control` for Anthropic, `none` for other formats */
  readonly cacheMarks?: "none" | "cache_control" | "prompt_cache_breakpoint";
  /** Whether to request usage for every chat stream, even if the client does not. @default false */
  readonly streamUsage?: boolean;
  /** Whether a chat server accepts `top_k`. @default false */
  readonly topK?: boolean;
  /** Whether every round of tool calls must carry a thought signature (Gemini 3 and later). @default false */
  readonly signedCalls?: boolean;
}

/** A model's reasoning controls. */
export interface ReasoningRules {
  readonly modes: readonly Reasoning["mode"][];
  /** Supported levels, from low to high. @default all levels of the format */
  readonly efforts?: readonly Effort[];
  readonly minBudgetTokens?: number;
  readonly maxBudgetTokens?: number;
}

/** Options for encoding messages and blocks. */
export interface EncodeOptions {
  /** The vendor whose signatures need no tag. */
  readonly vendor: string;
  /** Whether to write `extra` fields. Only the format that they came from understands them. */
  readonly extras: boolean;
}
