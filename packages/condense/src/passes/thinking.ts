import { type Block, type Conversation, fingerprint, type Hash, type Message } from "@longhaul/conversation/advanced";
import type { Edit } from "../edits/edit.ts";

/** How the target model treats reasoning in the history. */
export interface ThinkingRules {
  /** Whether the model binds each block to its exact prefix and rejects the block after a change. */
  readonly binds: boolean;
}

/**
 * Returns the index of the first message that differs from the last request (the first cache miss), or the length if nothing differs.
 */
export function firstDifference(sent: Conversation, now: Conversation, hash: Hash): number {
  const differs = now.messages.findIndex((message, index) => !isSame(message, sent.messages[index], hash));
  return differs === -1 ? now.messages.length : differs;
}

function isSame(a: Message, b: Message | undefined, hash: Hash): boolean {
  return a === b || (b !== undefined && fingerprint(a, hash) === fingerprint(b, hash));
}

/**
 * Removes the reasoning after the first change from the history. Models that do not bind their reasoning still require that of the open
 * tool loop, so it stays.
 */
export function dropThinking(messages: readonly Message[], from: number, keepFrom: number): Edit[] {
  return messages.slice(0, keepFrom).flatMap((message, index) => (index < from ? [] : thinkingEdits(message, index)));
}

function thinkingEdits(message: Message, index: number): Edit[] {
  const thinking = [...message.blocks.keys()].filter((block) => isThinking(message.blocks[block]));
  if (thinking.length === 0) return [];
  if (thinking.length === message.blocks.length) {
    return [{ kind: "replace", from: index, to: index + 1, with: [], reason: "thinking" }];
  }
  return thinking.map((block) => ({ kind: "remove", at: { message: index, block, path: [] }, reason: "thinking" }));
}

function isThinking(block: Block | undefined): boolean {
  return block?.type === "thinking" || block?.type === "redacted-thinking";
}

/**
 * Returns where the open tool loop starts: after the latest user message if the conversation ends in tool results, otherwise at the end.
 */
export function openLoopStart(messages: readonly Message[], latestUserMessage: number): number {
  const isOpen = messages.at(-1)?.blocks.some((block) => block.type === "tool-result") ?? false;
  return isOpen ? latestUserMessage + 1 : messages.length;
}
