import type { History } from "./history.ts";

/**
 * Tokens of a request that stay whatever is done to it, at the least: system, tools, and the user's latest words. Where these stand beside
 * anything that can be taken out, nothing of that message is counted.
 */
export function mustStayTokens({ headTokens, messages, messageTokens }: History): number {
  const latest = messages.findLastIndex(({ isUsersOwn }) => isUsersOwn);
  const isPlain = messages[latest]?.isPlainText === true;
  return headTokens + (isPlain ? (messageTokens[latest] ?? 0) : 0);
}
