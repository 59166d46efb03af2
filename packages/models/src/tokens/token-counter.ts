import type { Block, Conversation, Message, Tool } from "@longhaul/conversation";
import type { Tokenizer } from "../catalog/model.ts";
import type { Size } from "./measure.ts";

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
  /** The tokenizer that it counts for; absent for a counter that was made without one. */
  readonly tokenizer?: Tokenizer;
  /** The count of a message that was counted before, by its fingerprint: without the message, in no time. Undefined where it is not known. */
  countKnown(fingerprint: string): number | undefined;
  /** Measures a prompt without its messages, for `adoptHead` of a counter of the same tokenizer in another thread. */
  measureHead(head: Pick<Conversation, "system" | "tools">): HeadSizes;
  /** Measures a message, for `adoptMessage` of a counter of the same tokenizer in another thread. */
  measureMessage(message: Message): readonly Size[];
  /** Takes in what another counter has measured: these very objects are not read again. */
  adoptHead(head: Pick<Conversation, "system" | "tools">, sizes: HeadSizes): void;
  /** Takes in what another counter has measured: a message with this fingerprint is known from now on. */
  adoptMessage(fingerprint: string, sizes: readonly Size[]): void;
}

/** The sizes of system blocks and tools. */
export interface HeadSizes {
  readonly system: readonly Size[];
  readonly tools: readonly Size[];
}
