import {
  type ClearThinking,
  type ClearToolUses,
  type Conversation,
  type Message,
  type Position,
  type ToolPair,
  type Turn,
  toolPairs,
  turns,
} from "@longhaul/conversation/advanced";
import type { TokenCounter } from "@longhaul/models";
import type { Pass } from "../contract/strategy.ts";
import type { View } from "../contract/view.ts";
import type { Edit } from "../edits/edit.ts";
import { dropThinking } from "../passes/thinking.ts";

/** Replaces a cleared result or free-text input. */
export const CLEARED = "[Cleared to save context]";

/** Whether the conversation exceeds the client's trigger. */
export function isTriggered({ trigger }: ClearToolUses, conversation: Conversation, counter: TokenCounter): boolean {
  const amount =
    trigger.unit === "tokens" ? counter.countConversation(conversation) : toolPairs(conversation.messages).pairs.length;
  return amount > trigger.over;
}

/** Clears the results of older tool uses, and their inputs if the client asks for it. */
export function clearToolUsesPass(edit: ClearToolUses): Pass {
  return {
    id: edit.kind,
    name: "Clear tool uses",
    applies: ({ conversation, counter }) => isTriggered(edit, conversation, counter),
    plan: ({ conversation, counter }) =>
      usesToClear(conversation.messages, edit, counter).flatMap(({ edits }) => edits),
    objections: (before, after) => objectionsTo(edit, before, after),
  };
}

function objectionsTo({ clearAtLeastTokens }: ClearToolUses, before: View, after: Conversation): string[] {
  const clearedTokens = before.tokens - before.counter.countConversation(after);
  if (clearedTokens >= clearAtLeastTokens) return [];
  return [`it would clear ${clearedTokens} tokens, less than the required ${clearAtLeastTokens}`];
}

/** A tool use and the edits that clear it. */
interface ClearedUse {
  readonly pair: ToolPair;
  readonly edits: readonly Edit[];
}

/**
 * Returns the tool uses to clear, oldest first: all but the latest, without those of excluded tools and those too short to gain from it.
 */
export function usesToClear(
  messages: readonly Message[],
  edit: ClearToolUses,
  counter: TokenCounter,
): readonly ClearedUse[] {
  const { pairs } = toolPairs(messages);
  const excluded = new Set(edit.excludeTools);
  return pairs
    .slice(0, Math.max(0, pairs.length - edit.keepToolUses))
    .filter(({ name }) => !excluded.has(name))
    .map((pair) => ({ pair, edits: editsFor(pair, { messages, edit, counter }) }))
    .filter(({ edits }) => edits.length > 0);
}

interface Clearing {
  readonly messages: readonly Message[];
  readonly edit: ClearToolUses;
  readonly counter: TokenCounter;
}

function editsFor({ name, call, result }: ToolPair, { messages, edit: { clearInputs }, counter }: Clearing): Edit[] {
  if (result === undefined) return [];
  const clearsInput = typeof clearInputs === "boolean" ? clearInputs : clearInputs.includes(name);
  const cleared = clearResult(messages, result, counter);
  return clearsInput ? [...cleared, ...clearInput(messages, call, counter)] : cleared;
}

function clearResult(messages: readonly Message[], at: Position, counter: TokenCounter): Edit[] {
  const block = messages[at.message]?.blocks[at.block];
  if (block?.type !== "tool-result") return [];
  const tokens = block.content.reduce((sum, entry) => sum + counter.countBlock(entry), 0);
  if (tokens <= counter.countText(CLEARED) * block.content.length) return [];
  return block.content.map((_, entry) => ({
    kind: "remove",
    at: { ...at, path: [entry] },
    left: CLEARED,
    reason: "suppress",
  }));
}

function clearInput(messages: readonly Message[], at: Position, counter: TokenCounter): Edit[] {
  const block = messages[at.message]?.blocks[at.block];
  if (block?.type !== "tool-call") return [];
  const { input } = block;
  const position = { ...at, path: [] };
  if (typeof input === "string") {
    if (counter.countText(input) <= counter.countText(CLEARED)) return [];
    const splices = [{ from: 0, to: input.length, text: CLEARED }];
    return [{ kind: "splice", at: position, splices, reason: "suppress" }];
  }
  const isEmpty = typeof input !== "object" || input === null || Object.keys(input).length === 0;
  return isEmpty ? [] : [{ kind: "input", at: position, input: {}, reason: "suppress" }];
}

/** Returns the turns whose thinking is cleared, oldest first: all with thinking except for the latest. */
export function turnsToClear(messages: readonly Message[], { keepTurns }: ClearThinking): readonly Turn[] {
  if (keepTurns === "all") return [];
  const thinking = turns(messages).filter(({ from, to }) => messages.slice(from, to).some(hasThinking));
  return thinking.slice(0, Math.max(0, thinking.length - keepTurns));
}

function hasThinking({ blocks }: Message): boolean {
  return blocks.some(({ type }) => type === "thinking" || type === "redacted-thinking");
}

/** Clears the thinking of older turns. */
export function clearThinkingPass(edit: ClearThinking): Pass {
  return {
    id: edit.kind,
    name: "Clear thinking",
    plan: ({ conversation: { messages } }) => {
      const latest = turnsToClear(messages, edit).at(-1);
      return latest === undefined ? [] : dropThinking(messages, 0, latest.to);
    },
  };
}
