import type { WireId } from "@longhaul/conversation";
import type { KeyUse } from "@longhaul/store";
import { codecOf } from "@longhaul/wire";
import type { KeyHolder } from "./caller.ts";
import { freeAtMs } from "./limit-refusal.ts";

/** What a key has used once its request was counted in. */
export interface Counted {
  readonly used: KeyUse;
  readonly nowMs: number;
}

/** How many requests are left in this minute, in the headers in which a format's clients look for it. */
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
