import type { CondensationAnswer, SessionsAnswer } from "@longhaul/settings";
import { spellShare } from "../format.ts";

type Session = SessionsAnswer["sessions"][number];

/** How many of the latest condensations are compared. */
const MOST = 5;

/** The latest session that a strategy made smaller. */
export function latestSession({ sessions }: SessionsAnswer, strategy: string): Session | undefined {
  return sessions.find((session) => session.strategy === strategy && session.condensations > 0);
}

/** The latest condensations by a strategy, the latest first. */
export function latestBy(
  condensations: readonly CondensationAnswer[],
  strategy: string,
): readonly CondensationAnswer[] {
  return condensations
    .filter((condensation) => condensation.strategy === strategy)
    .toSorted((a, b) => b.atMs - a.atMs)
    .slice(0, MOST);
}

/** How far a cost lay from what was foretold. */
export function spellDifference({
  costUsd,
  estimatedUsd,
}: Pick<CondensationAnswer, "costUsd" | "estimatedUsd">): string {
  if (costUsd === estimatedUsd) return "as estimated";
  if (estimatedUsd === 0) return "more than estimated";
  const share = Math.abs(costUsd - estimatedUsd) / estimatedUsd;
  return `${spellShare(share)} ${costUsd > estimatedUsd ? "more" : "less"}`;
}
