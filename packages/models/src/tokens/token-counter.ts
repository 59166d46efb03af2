import type { Block, Conversation, Message, Tool } from "@longhaul/conversation";

/** Counts the tokens that a model would be charged for. The count of a whole is the sum of the counts of its parts. */
export interface TokenCounter {
  countText(text: string): number;
  countBlock(block: Block): number;
  countMessage(message: Message): number;
  countSystem(blocks: readonly Block[]): number;
  countTools(tools: readonly Tool[]): number;
  /** System, tools and messages together. */
  countConversation(conversation: Conversation): number;
}

/** A counter that knows messages again by what they say. */
export interface RememberingCounter extends TokenCounter {
  /** The count of a message that was counted before, by its fingerprint: without the message, in no time. Undefined where it is not known. */
  countKnown(fingerprint: string): number | undefined;
}
