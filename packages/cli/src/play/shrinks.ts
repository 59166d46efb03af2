import { STRATEGIES } from "@longhaul/condense";
import type { Turn } from "./ask-turn.ts";

/** What is used again becomes smaller than this share of the turn before only where a condensation has come to it. */
const SHRUNK = 0.9;

/**
 * Whether a turn is the first that a condensation made smaller. Its origin alone does not tell: a summary that was written in the background
 * is used by a later request than the one it was begun for, and references are made without any condensation.
 */
export function shrinks({ origin, strategy, sentTokens, cameTokens }: Turn, before: Turn | undefined): boolean {
  const beforeTokens = before?.sentTokens ?? cameTokens;
  // References touch only what is new in a turn, which is never smaller for them than the turn before.
  const refers = STRATEGIES.some(({ id, refersEarly }) => id === strategy && refersEarly === true);
  if (origin === "new") return !refers || sentTokens < beforeTokens;
  return origin === "reused" && sentTokens < SHRUNK * beforeTokens;
}
