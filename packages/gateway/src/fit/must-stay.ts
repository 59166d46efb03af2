import type { History } from "./history.ts";

/** Tokens of a request that stay whatever is done to it, at the least: system, tools, and the user's latest words. */
export function mustStayTokens({ headTokens, messages, messageTokens }: History): number {
  const latest = messages.findLastIndex(
    ({ role, makeUp }) => role === "user" && makeUp.every(({ kind }) => kind === "text"),
  );
  return headTokens + (messageTokens[latest] ?? 0);
}
