import { type Block, type Conversation, fingerprint, type Hash, type Message } from "@longhaul/conversation";
import type { Edit } from "../edits/edit.ts";

/** What the target model makes of reasoning that it finds in the history. */
export interface ThinkingRules {
  /** The model binds each block to the exact prefix that it saw; after a change of that prefix it accepts none of them. */
  readonly binds: boolean;
}

/** Index of the first message that differs from what was sent before: the first cache miss. The length where nothing differs. */
export function firstDifference(sent: Conversation, now: Conversation, hash: Hash): number {
  const differs = now.messages.findIndex((message, index) => !isSame(message, sent.messages[index], hash));
  return differs === -1 ? now.messages.length : differs;
}

function isSame(a: Message, b: Message | undefined, hash: Hash): boolean {
  return a === b || (b !== undefined && fingerprint(a, hash) === fingerprint(b, hash));
}

/**
 * Takes the reasoning that follows the first change out of the history. A model that doesn't bind its reasoning demands that of the open
 * tool loop, so it stays there.
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

/** Where the open tool loop begins: after the latest words of the user, if the conversation ends in tool results; else at the end. */
export function openLoopStart(messages: readonly Message[], latestUserMessage: number): number {
  const isOpen = messages.at(-1)?.blocks.some((block) => block.type === "tool-result") ?? false;
  return isOpen ? latestUserMessage + 1 : messages.length;
}
