import type { Overflow } from "@longhaul/conversation";
import type { Fitted } from "./fit.ts";
import type { Pressure } from "./open-turn.ts";

/** Share of the true limit, in the upstream's own count, that the second and the third try aim at. */
const AIMS = [0.9, 0.75] as const;

/** Learns the true window from a refusal that names it; it only ever gets smaller. */
export function learnOverflow({ limitTokens }: Overflow, { turn }: Fitted): void {
  const { state, call, target, limits } = turn;
  if (limitTokens !== undefined && limitTokens < limits.windowTokens) state.learned.overflow(call, target, limitTokens);
}

/** How many tokens the next try may have, in our own count: the upstream's count of this one tells how far that is off. */
export function pressureAfter(
  { actualTokens, limitTokens, outputTokens = 0 }: Overflow,
  { turn, form }: Fitted,
  recoveries: number,
): Pressure {
  const aim = AIMS[Math.min(recoveries, AIMS.length - 1)] ?? AIMS[0];
  const { windowTokens, budgetTokens } = turn.limits;
  const limit = Math.min(limitTokens ?? windowTokens, windowTokens);
  const reserved = Math.max(windowTokens - budgetTokens, 0) * (limit / windowTokens);
  const counted = Math.max(actualTokens === undefined ? 0 : actualTokens / form.tokens, 1);
  // A refusal that counts the answer in is about the answer's limit first, and that is lowered anyway.
  const free = outputTokens > 0 ? limit : limit - reserved;
  const ceiling = actualTokens === undefined ? Math.min(form.tokens, free) : free;
  return { maxTokens: Math.max(1, Math.floor((ceiling * aim) / counted)) };
}
