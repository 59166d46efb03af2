import { LonghaulError, table } from "@longhaul/conversation";
import { formatUsd } from "@longhaul/models/format";
import type { KeyLimits, KeyUse } from "@longhaul/store";
import type { KeyHolder } from "./caller.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Nobody knows when a request under way is over. */
const CONCURRENT_RETRY_MS = 1_000;

/** A limit that stands against a request, and what was used by then. */
export interface Reached {
  readonly limit: keyof KeyLimits;
  readonly used: KeyUse;
  readonly nowMs: number;
}

/** Says to a client which limit it has reached and when it may go on. */
export function limitRefusal({ name, limits }: Pick<KeyHolder, "name" | "limits">, reached: Reached): LonghaulError {
  const { limit, nowMs } = reached;
  const freeMs = freeAtMs(limit, nowMs);
  const when = limit === "concurrent" ? "when one of them is over" : `after ${new Date(freeMs).toISOString()}`;
  const what = SAID[limit](reached.used, limits[limit] ?? 0);
  return new LonghaulError("limit.exceeded", `the key "${name}" ${what} (${limit}); try again ${when}`, {
    retryAfterMs: freeMs - nowMs,
  });
}

const SAID: Readonly<Record<keyof KeyLimits, (used: KeyUse, most: number) => string>> = table({
  requestsPerMinute: ({ requestsThisMinute }, most) =>
    `has made ${requestsThisMinute} of its ${most} requests per minute`,
  concurrent: ({ underWay }, most) => `has ${underWay} requests under way, of ${most} at once`,
  usdPerDay: ({ usdToday }, most) => `has spent ${dollars(usdToday)} of its ${dollars(most)} per day`,
  usdPerMonth: ({ usdThisMonth }, most) => `has spent ${dollars(usdThisMonth)} of its ${dollars(most)} per month`,
});

function dollars(usd: number): string {
  return formatUsd(usd, 2);
}

/** When a limit counts anew. Minutes, days and months are those of UTC. */
export function freeAtMs(limit: keyof KeyLimits, nowMs: number): number {
  switch (limit) {
    case "requestsPerMinute":
      return (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS;
    case "concurrent":
      return nowMs + CONCURRENT_RETRY_MS;
    case "usdPerDay":
      return (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
    case "usdPerMonth": {
      const now = new Date(nowMs);
      return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
    }
    default:
      return limit satisfies never;
  }
}
