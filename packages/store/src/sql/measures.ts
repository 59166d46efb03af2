import type { CondensationEvent, RequestEvent } from "../contract/events.ts";
import { hasFailed, isOverWindow } from "./event-rows.ts";
import type { Measures } from "./tables.ts";

/** Something for each figure that sums have. */
export function perMeasure<T>(make: (name: keyof Measures) => T): Record<keyof Measures, T> {
  return {
    requests: make("requests"),
    errors: make("errors"),
    fallbacks: make("fallbacks"),
    overWindow: make("overWindow"),
    inputTokens: make("inputTokens"),
    cacheReadTokens: make("cacheReadTokens"),
    cacheWriteTokens: make("cacheWriteTokens"),
    outputTokens: make("outputTokens"),
    savedTokens: make("savedTokens"),
    costUsd: make("costUsd"),
    savedUsd: make("savedUsd"),
    addedMs: make("addedMs"),
    condensations: make("condensations"),
    condensingUsd: make("condensingUsd"),
  };
}

/** What nothing adds up to. */
export const NOTHING: Measures = perMeasure(() => 0);

/** What one request adds to the sums. */
export function measuresOfRequest(event: RequestEvent): Measures {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, costUsd, savedUsd, addedMs } = event;
  const isSent = event.sentTokens > 0;
  return {
    ...NOTHING,
    requests: 1,
    errors: hasFailed(event) ? 1 : 0,
    fallbacks: event.attempts > 1 ? 1 : 0,
    overWindow: isOverWindow(event) ? 1 : 0,
    inputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens,
    savedTokens: isSent ? event.originalTokens - event.sentTokens : 0,
    costUsd,
    savedUsd,
    addedMs,
  };
}

/** What one condensation adds to the sums. */
export function measuresOfCondensation({ costUsd }: CondensationEvent): Measures {
  return { ...NOTHING, condensations: 1, condensingUsd: costUsd };
}
