import { LonghaulError, table, type WireId } from "@longhaul/conversation/advanced";
import { formatUsd } from "@longhaul/models/format";
import type { KeyLimits, KeyUse } from "@longhaul/store";
import { codecOf } from "@longhaul/wire";
import type { KeyHolder } from "./caller.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The end of a request in flight is unknown. */
const CONCURRENT_RETRY_MS = 1_000;

interface Reached extends Counted {
  readonly limit: keyof KeyLimits;
}

/** Returns the error for a reached limit, with the time when the client may continue. */
export function limitRefusal({ name, limits }: Pick<KeyHolder, "name" | "limits">, reached: Reached): LonghaulError {
  const { limit, nowMs } = reached;
  const freeMs = freeAtMs(limit, nowMs);
  const when = limit === "concurrent" ? "when a request has finished" : `after ${new Date(freeMs).toISOString()}`;
  const what = DESCRIPTIONS[limit](reached.used, limits[limit] ?? 0);
  return new LonghaulError(
    "limit.exceeded",
    `API key "${name}" has reached its limit of ${what} (${limit}); try again ${when}`,
    {
      retryAfterMs: freeMs - nowMs,
    },
  );
}

const DESCRIPTIONS: Readonly<Record<keyof KeyLimits, (used: KeyUse, most: number) => string>> = table({
  requestsPerMinute: (_, most) => `${most} ${most === 1 ? "request" : "requests"} per minute`,
  concurrent: (_, most) => `${most} concurrent ${most === 1 ? "request" : "requests"}`,
  usdPerDay: ({ usdToday }, most) => `${formatUsd(most)} per day, with ${formatUsd(usdToday)} spent`,
  usdPerMonth: ({ usdThisMonth }, most) => `${formatUsd(most)} per month, with ${formatUsd(usdThisMonth)} spent`,
});

/** Returns when a limit's counter restarts. Minutes, days and months are in UTC. */
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

/** The use of a key, including the request that was just counted. */
export interface Counted {
  readonly used: KeyUse;
  readonly nowMs: number;
}

/** Returns the remaining requests of this minute in the format's own rate limit headers. */
export function limitHeaders(
  wire: WireId,
  { limits }: Pick<KeyHolder, "limits">,
  { used, nowMs }: Counted,
): Readonly<Record<string, string>> {
  const { requestsPerMinute: requests } = limits;
  if (requests === undefined) return {};
  const freeMs = freeAtMs("requestsPerMinute", nowMs);
  return codecOf(wire).api.encodeRateLimit({
    requests,
    remaining: Math.max(0, requests - used.requestsThisMinute),
    resetsAt: new Date(freeMs).toISOString(),
    resetSeconds: Math.ceil((freeMs - nowMs) / 1_000),
  });
}
