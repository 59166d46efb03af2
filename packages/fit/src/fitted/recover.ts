import type { Overflow } from "@longhaul/conversation";
import type { Fitted } from "../fitting/fit.ts";
import type { Pressure } from "../fitting/open-fit-request.ts";
import { hasMedia, recordSize } from "./record.ts";

/** Share of the true limit, in the upstream's own count, that the second and the third try aim at. */
const AIMS = [0.9, 0.75] as const;

/** The same where nobody says what the limit is: shares of what was refused last. */
const BLIND_AIMS = [0.7, 0.5] as const;

/** Learns the true window from a refusal that names it, which only ever gets smaller, and how the upstream counts. */
export function learnOverflow({ limitTokens, actualTokens }: Overflow, fitted: Fitted): void {
  const { state, call, destination, limits } = fitted.fitRequest;
  if (limitTokens !== undefined && limitTokens < limits.windowTokens)
    state.learned.overflow(call, destination, limitTokens);
  if (actualTokens !== undefined) recordSize(fitted, { reported: actualTokens, wasRefused: true });
}

/**
 * Learns from a refusal without figures, once less of the same was accepted: the window lies between the two. Images and documents may
 * have been refused for their own sake.
 */
export function learnUnnamed({ limitTokens }: Overflow, { fitRequest, form }: Fitted, accepted: Fitted): void {
  const { state, call, destination, limits } = fitRequest;
  const windowTokens = Math.floor((form.tokens + accepted.form.tokens) / 2);
  if (limitTokens !== undefined || hasMedia(fitRequest) || windowTokens >= limits.windowTokens) return;
  state.learned.overflow(call, destination, windowTokens);
}

/** How many tokens the next try may have, in our own count: the upstream's count of this one tells how far that is off. */
export function pressureAfter(overflow: Overflow, fitted: Fitted, recoveries: number): Pressure {
  const { actualTokens, limitTokens, outputTokens = 0 } = overflow;
  const { fitRequest, form } = fitted;
  const isBlind = actualTokens === undefined && limitTokens === undefined;
  const aims = isBlind ? BLIND_AIMS : AIMS;
  const aim = aims[Math.min(recoveries, aims.length - 1)] ?? aims[0];
  const { windowTokens, budgetTokens } = fitRequest.limits;
  const limit = Math.min(limitTokens ?? windowTokens, windowTokens);
  const reserved = Math.max(windowTokens - budgetTokens, 0) * (limit / windowTokens);
  // A refusal that counts the answer in is about the answer's limit first, and that is lowered anyway.
  const free = outputTokens > 0 ? limit : limit - reserved;
  const ceiling = actualTokens === undefined ? Math.min(form.tokens, free) : free;
  return { maxTokens: Math.max(1, Math.floor((ceiling * aim) / countedFor(actualTokens, fitted))) };
}

/** The upstream's tokens for one of ours, as we count after what the refusal has taught. */
function countedFor(actualTokens: number | undefined, { fitRequest, form }: Fitted): number {
  if (actualTokens === undefined) return 1;
  const ours = form.estimated * (fitRequest.state.learned.ratio(fitRequest.destination) / fitRequest.ratio);
  return Math.max(actualTokens / ours, 1);
}
