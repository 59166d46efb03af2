import type { KeyLimits, KeyUse } from "@longhaul/store";
import { freeAtMs } from "./limit-refusal.ts";

/** What a key had used when somebody last knew. */
export interface LastUse {
  readonly used: KeyUse;
  readonly atMs: number;
}

/** What that comes to by now, if nothing else was used: minutes, days and months begin anew. */
export function useBy({ used, atMs }: LastUse, nowMs: number): KeyUse {
  const isOver = (limit: keyof KeyLimits) => nowMs >= freeAtMs(limit, atMs);
  return {
    requestsThisMinute: isOver("requestsPerMinute") ? 0 : used.requestsThisMinute,
    underWay: used.underWay,
    usdToday: isOver("usdPerDay") ? 0 : used.usdToday,
    usdThisMonth: isOver("usdPerMonth") ? 0 : used.usdThisMonth,
  };
}

/** With one more request under way. */
export function useWithOneMore(used: KeyUse): KeyUse {
  return { ...used, requestsThisMinute: used.requestsThisMinute + 1, underWay: used.underWay + 1 };
}

/** With so much more spent. */
export function useWithCost(used: KeyUse, usd: number): KeyUse {
  return { ...used, usdToday: used.usdToday + usd, usdThisMonth: used.usdThisMonth + usd };
}
