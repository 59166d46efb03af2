import type { KeyUse } from "@longhaul/store";
import type { KeyHolder } from "../caller.ts";
import type { Outcome } from "../http/outcome.ts";
import { freeAtMs } from "./limit-refusal.ts";

/** What a key has used once its request was counted in. */
export interface Counted {
  readonly used: KeyUse;
  readonly nowMs: number;
}

/** How many requests are left in this minute, in the headers in which a format's clients look for it. */
export function limitHeaders(
  wire: string,
  { limits }: Pick<KeyHolder, "limits">,
  counted: Counted,
): Outcome["headers"] {
  const { requestsPerMinute: most } = limits;
  const { used, nowMs } = counted;
  if (most === undefined) return {};
  const limit = `${most}`;
  const remaining = `${Math.max(0, most - used.requestsThisMinute)}`;
  const freeMs = freeAtMs("requestsPerMinute", nowMs);
  if (wire === "anthropic-messages") {
    const reset = new Date(freeMs).toISOString();
    return {
      "anthropic-ratelimit-requests-limit": limit,
      "anthropic-ratelimit-requests-remaining": remaining,
      "anthropic-ratelimit-requests-reset": reset,
    };
  }
  // Gemini's clients look for none.
  if (!wire.startsWith("openai-")) return {};
  return {
    "x-ratelimit-limit-requests": limit,
    "x-ratelimit-remaining-requests": remaining,
    "x-ratelimit-reset-requests": `${Math.ceil((freeMs - nowMs) / 1_000)}s`,
  };
}
