import { table } from "@longhaul/conversation";
/** What usage can be told by. */
export const USAGE_GROUPS = ["model", "key", "strategy", "upstream"] as const;

/** Spans that usage is told for: days of UTC, today among them. */
export const USAGE_PERIODS = table({ today: 1, week: 7, month: 30 } as const);
