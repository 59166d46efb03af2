import type { Turn } from "./ask-turn.ts";

/** A condensation takes at least this share away. */
const SHRUNK = 0.9;

/**
 * Whether a turn is the first that a condensation made smaller. Its origin does not tell: a summary that was written in the background is
 * used by a later request than the one it was begun for, and references are made without any condensation.
 */
export function shrinks({ origin, sentTokens, cameTokens }: Turn, before: Turn | undefined): boolean {
  return origin !== "" && sentTokens < SHRUNK * (before?.sentTokens ?? cameTokens);
}
