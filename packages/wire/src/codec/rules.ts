import type { BlockType, RedactedThinkingBlock, Request, Role, ThinkingBlock, WireId } from "@longhaul/conversation";
import type { ReasoningRules, Target } from "./target.ts";
import type { Warn } from "./warnings.ts";

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
  readonly marks: ReadonlySet<BlockType | "tool">;
  readonly maxStopSequences: number;
  readonly maxTemperature: number;
  readonly maxUserChars: number;
  readonly reasoning: ReasoningRules;
  /** Settles what the format refuses in combination, as the last step. */
  settle?(request: Request, fitting: Fitting): Request;
  /** Whether a thinking block may be sent back to this target. */
  readsThinking(block: ThinkingBlock | RedactedThinkingBlock, fitting: Fitting): boolean;
}

/** Which names a format takes. */
export interface NameRule {
  readonly illegal: RegExp;
  readonly maxChars: number;
  /** Names that only clients of the format itself have: it spells them in its own way. */
  readonly own?: RegExp;
}

/** What an adapting step knows. */
export interface Fitting {
  readonly rules: Rules;
  readonly target: Target;
  /** Whose signatures the target reads. */
  readonly vendor: string;
  /** Whether the request came in the format that it goes out in. */
  readonly isNative: boolean;
  readonly warn: Warn;
}
