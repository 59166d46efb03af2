import { findStrategy, INHERIT_THRESHOLD, MAX_THRESHOLD_PERCENT } from "@longhaul/condense";
import type { Config, ProfileConfig, THRESHOLD_SOURCES } from "@longhaul/settings";

/** At which share of the window condensing begins, and who says so. */
export interface Threshold {
  readonly percent: number;
  readonly from: (typeof THRESHOLD_SOURCES)[number];
}

/** The threshold that holds for a profile. */
export function thresholdOf({ context: own }: ProfileConfig, { context }: Pick<Config, "context">): Threshold {
  if (own?.threshold !== undefined && own.threshold !== INHERIT_THRESHOLD) {
    return { percent: own.threshold, from: "profile" };
  }
  if (context.threshold !== undefined) return { percent: context.threshold, from: "global" };
  const { thresholdPercent } = findStrategy(own?.strategy ?? context.strategy);
  if (thresholdPercent !== undefined) return { percent: thresholdPercent, from: "strategy" };
  return { percent: MAX_THRESHOLD_PERCENT, from: "room" };
}
