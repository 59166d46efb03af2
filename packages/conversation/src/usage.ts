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
