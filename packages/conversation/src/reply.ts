import type { Block, Carrier, Native } from "./block.ts";
import type { LonghaulError } from "./error.ts";

/** Why the model stopped. */
export type StopReason =
  | "end"
  | "length"
  | "stop-sequence"
  | "tool-calls"
  | "refusal"
  | "pause"
  | "context-exceeded"
  | "compaction"
  | "other";

/** A complete reply from a model. */
export interface Reply extends Carrier {
  readonly id: string;
  readonly model: string;
  readonly blocks: readonly Block[];
  readonly stopReason: StopReason;
  readonly stopSequence?: string;
  readonly usage: Usage;
}

/** Token usage of a call. The three input counts do not overlap; their sum is the prompt. */
export interface Usage {
  /** Prompt tokens that were neither read from nor written to the cache. */
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** The part of `cacheWriteTokens` with a lifetime of one hour. */
  readonly cacheWriteHourTokens?: number;
  /** All tokens that the model wrote, including reasoning. */
  readonly outputTokens: number;
  /** The part of `outputTokens` that was reasoning. */
  readonly reasoningTokens?: number;
  /** Earlier rounds of the same call (server-side compaction); not included in the counts above. */
  readonly iterations?: readonly Usage[];
}

/** Usage with all counts at zero. */
export const NO_USAGE: Usage = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };

/** Returns the total number of input tokens. */
export function promptTokens(usage: Usage): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}

/** Converts usage from vendors whose input count includes cached tokens (OpenAI, Gemini, OpenRouter). */
export function usageFromInclusive(figures: Usage): Usage {
  const cached = figures.cacheReadTokens + figures.cacheWriteTokens;
  return { ...figures, inputTokens: Math.max(0, figures.inputTokens - cached) };
}

/**
 * Events of a streamed reply. Blocks are numbered from 0 in the order in which they start; a block's deltas come between its start and its
 * end, and several blocks may be open at once. A stream ends with `reply-end` or `error`; no event follows.
 */
export type StreamEvent =
  | {
      readonly type: "reply-start";
      readonly id: string;
      readonly model: string;
      readonly usage?: Usage;
      readonly native?: Native;
    }
  | { readonly type: "text-start"; readonly index: number }
  | { readonly type: "text-delta"; readonly index: number; readonly text: string }
  | { readonly type: "text-end"; readonly index: number }
  | { readonly type: "thinking-start"; readonly index: number; readonly id?: string; readonly vendor?: string }
  | { readonly type: "thinking-delta"; readonly index: number; readonly text: string }
  /** `vendor` is set if only the signature identifies it, `native` if clients must be able to send the block back unchanged. */
  | {
      readonly type: "thinking-end";
      readonly index: number;
      readonly signature?: string;
      readonly vendor?: string;
      readonly native?: Native;
    }
  | {
      readonly type: "tool-call-start";
      readonly index: number;
      readonly id: string;
      readonly name: string;
      readonly signature?: string;
      /** Set for free-text tools: the deltas are the text itself, not JSON. */
      readonly freeText?: boolean;
      readonly native?: Native;
    }
  | { readonly type: "tool-call-delta"; readonly index: number; readonly json: string }
  | { readonly type: "tool-call-end"; readonly index: number }
  /** A block that arrives whole: redacted thinking, compaction, an image, or an unknown block. */
  | { readonly type: "block"; readonly index: number; readonly block: Block }
  | {
      readonly type: "reply-end";
      readonly stopReason: StopReason;
      readonly stopSequence?: string;
      readonly usage: Usage;
      readonly native?: Native;
    }
  /** Information that only one format can express, about the block `index` or the whole reply. Encoders of other formats skip it. */
  | { readonly type: "native"; readonly index?: number; readonly native: Native }
  | { readonly type: "error"; readonly error: LonghaulError }
  | { readonly type: "ping" };
