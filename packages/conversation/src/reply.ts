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

/** A model's whole answer. */
export interface Reply extends Carrier {
  readonly id: string;
  readonly model: string;
  readonly blocks: readonly Block[];
  readonly stopReason: StopReason;
  readonly stopSequence?: string;
  readonly usage: Usage;
}

/** What a call consumed. The three input figures never overlap; their sum is the prompt. */
export interface Usage {
  /** Prompt tokens that were neither read from nor written to the cache. */
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** The part of `cacheWriteTokens` that was written to live for an hour. */
  readonly cacheWriteHourTokens?: number;
  /** Everything that the model wrote, reasoning included. */
  readonly outputTokens: number;
  /** The part of `outputTokens` that was reasoning. */
  readonly reasoningTokens?: number;
  /** Earlier rounds of the same call (server-side compaction) that the figures above leave out. */
  readonly iterations?: readonly Usage[];
}

/** The usage of a call that consumed nothing. */
export const NO_USAGE: Usage = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };

/** All tokens that the model read. */
export function promptTokens(usage: Usage): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}

/** Reads the figures of a vendor whose input count already contains what was cached (OpenAI, Gemini, OpenRouter). */
export function usageFromInclusive(figures: Usage): Usage {
  const cached = figures.cacheReadTokens + figures.cacheWriteTokens;
  return { ...figures, inputTokens: Math.max(0, figures.inputTokens - cached) };
}

/**
 * What happens while a reply arrives. Blocks are numbered from 0 in the order of their start; a block's deltas lie between its
 * start and its end, and blocks may be open side by side. A stream ends with `reply-end` or `error`, and nothing follows it.
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
  /** `vendor` is given where only the signature told who made it, `native` where the whole of it may have to come back as it was. */
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
      /** Set for tools that take free text: the deltas are then the text itself, not JSON. */
      readonly freeText?: boolean;
      readonly native?: Native;
    }
  | { readonly type: "tool-call-delta"; readonly index: number; readonly json: string }
  | { readonly type: "tool-call-end"; readonly index: number }
  /** A block that arrives whole: redacted thinking, compaction, an image, or one that nobody has heard of. */
  | { readonly type: "block"; readonly index: number; readonly block: Block }
  | {
      readonly type: "reply-end";
      readonly stopReason: StopReason;
      readonly stopSequence?: string;
      readonly usage: Usage;
      readonly native?: Native;
    }
  /** Something that only its own format can say, about the block `index` or the reply; writers of other formats leave it out. */
  | { readonly type: "native"; readonly index?: number; readonly native: Native }
  | { readonly type: "error"; readonly error: LonghaulError }
  | { readonly type: "ping" };
