import { setImmediate as pause } from "node:timers/promises";
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

/** About four milliseconds of counting. */
const TOKENS_BETWEEN_PAUSES = 20_000;

/** Counts the messages of an ask once, with pauses in which others get their turn: the counter remembers what they come to. */
export async function countWithPauses({ messages }: Ask, counter: TokenCounter): Promise<void> {
  let tokens = 0;
  for (const message of messages) {
    tokens += counter.countMessage(message);
    if (tokens < TOKENS_BETWEEN_PAUSES) continue;
    tokens = 0;
    await pause();
  }
}

/** Counts the characters of an ask, about. */
export function charactersIn(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  let sum = 0;
  for (const inner of Object.values(value)) sum += charactersIn(inner);
  return sum;
}
