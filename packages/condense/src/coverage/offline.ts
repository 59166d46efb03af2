import { textMessage } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import type { Answer, Ask } from "../edits/edit.ts";
import { digest } from "./digest.ts";

/** A summary takes at most this share of what it stands for, or it would save nothing. */
const SHARE_OF_INPUT = 0.5;

/**
 * Answers an ask without a model: what was said is told in its own lines, those that will likely be needed, within the limit of the ask. The
 * same ask always gets the same answer, and it is never empty where anything was said.
 */
export function answerOffline(ask: Ask, counter: TokenCounter): Answer {
  const earlier = ask.previous === undefined ? [] : [textMessage("user", ask.previous)];
  const messages = [...earlier, ...ask.messages];
  const inputTokens = messages.reduce((sum, message) => sum + counter.countMessage(message), 0);
  const maxTokens = Math.min(ask.maxTokens, Math.ceil(inputTokens * SHARE_OF_INPUT));
  const text = digest(messages, maxTokens, counter);
  return { kind: "text", text: text === "" ? `${ask.messages.length} messages without words.` : text };
}
