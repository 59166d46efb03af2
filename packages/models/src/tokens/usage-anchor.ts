import type { Conversation } from "@longhaul/conversation";
import type { TokenCounter } from "./token-counter.ts";

/** What a vendor reported for a prompt: a longer prompt that begins with it is counted from there. Plain data. */
export interface UsageAnchor {
  /** Prompt tokens as reported. */
  readonly promptTokens: number;
  /** System and tools as counted then: they may have changed since, and are no part of the prefix. */
  readonly headTokens: number;
}

/** What was sent, and how to find what was reported for a part of it. */
export interface AnchoredPrompt {
  readonly conversation: Conversation;
  /** Entry `i` stands for the first `i + 1` messages, see `prefixHashes`. */
  readonly prefixes: readonly string[];
  /** The anchor that was kept under the hash of a prefix. */
  readonly anchorOf: (prefix: string) => UsageAnchor | undefined;
}

/**
 * Makes the anchor to keep under the hash of all of a prompt's messages. `counter` should be the one that the next prompt is counted
 * with, after its ratio has learnt from this one.
 */
export function anchorUsage(conversation: Conversation, promptTokens: number, counter: TokenCounter): UsageAnchor {
  return { promptTokens, headTokens: countHead(conversation, counter) };
}

/** Counts a prompt from the longest prefix with a known usage, and estimates the rest; all of it where there is none. */
export function countFromAnchor({ conversation, prefixes, anchorOf }: AnchoredPrompt, counter: TokenCounter): number {
  for (let last = prefixes.length - 1; last >= 0; last--) {
    const anchor = anchorOf(prefixes[last] ?? "");
    if (anchor === undefined) continue;
    const headChange = countHead(conversation, counter) - anchor.headTokens;
    const rest = conversation.messages.slice(last + 1);
    return rest.reduce((sum, message) => sum + counter.countMessage(message), anchor.promptTokens + headChange);
  }
  return counter.countConversation(conversation);
}

function countHead({ system, tools }: Conversation, counter: TokenCounter): number {
  return counter.countSystem(system) + counter.countTools(tools);
}
