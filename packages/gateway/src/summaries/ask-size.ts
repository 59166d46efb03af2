import type { Ask } from "@longhaul/condense";
import type { TokenCounter } from "@longhaul/models";

/** How large what a summary stands for is: the messages, and the summary that it takes the place of. */
export function inputTokens({ messages, previous = "" }: Ask, counter: TokenCounter): number {
  return messages.reduce((sum, message) => sum + counter.countMessage(message), counter.countText(previous));
}

/** How large an ask is when its messages are written out: rules and roles take no more than in the messages themselves. */
export function askTokens(ask: Ask, counter: TokenCounter): number {
  return inputTokens(ask, counter) + counter.countText(ask.instructions);
}
