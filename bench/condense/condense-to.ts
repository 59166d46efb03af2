import { hash } from "node:crypto";
import {
  answerOffline,
  type Condensation,
  condenseInSteps,
  driveSync,
  exactBudget,
  planCondensation,
  type Strategy,
} from "@longhaul/condense/advanced";
import type { Conversation } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";

/**
 * Condenses the messages of a conversation to a share of their tokens, without fallback strategies; system prompt and tools stay. Summaries
 * are made without a model.
 */
export function condenseTo(
  conversation: Conversation,
  share: number,
  { strategy, counter }: { readonly strategy: Strategy; readonly counter: TokenCounter },
): Condensation & { readonly targetTokens: number } {
  const fixed = counter.countConversation({ ...conversation, messages: [] });
  const targetTokens = Math.floor(fixed + share * (counter.countConversation(conversation) - fixed));
  const plan = planCondensation({
    strategy,
    fallbacks: [],
    windowTokens: targetTokens,
    budget: exactBudget(targetTokens),
  });
  const running = condenseInSteps(conversation, { ...plan, counter, hash: sha256 });
  return { ...driveSync(running, (ask) => answerOffline(ask, counter)), targetTokens };
}

/** SHA-256 cut to 128 bits, like the gateway's hash. */
export function sha256(text: string): string {
  return hash("sha256", text, "hex").slice(0, 32);
}
