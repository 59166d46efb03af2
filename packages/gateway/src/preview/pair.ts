import type { Reason } from "@longhaul/condense";
import type { Block, Conversation, Role } from "@longhaul/conversation";

/** A block, and where it stands. */
export interface Placed {
  /** Index of the message; -1 in the system prompt. */
  readonly message: number;
  readonly role: Role;
  readonly block: Block;
}

/** What a block was and what it is now: without `after` it was left out, without `before` it was added. */
export interface Pair {
  readonly before?: Placed;
  readonly after?: Placed;
  /** What was added in its place. */
  readonly standIn?: Placed;
  readonly cause?: Cause;
}

/** What was done to a block, and by which pass. */
export interface Cause {
  readonly reason: Reason;
  readonly pass?: string;
}

/** All blocks of a conversation, in reading order, beginning with the system prompt. */
export function blocksOf({ system, messages }: Conversation): Placed[] {
  const prompt = system.map((block): Placed => ({ message: -1, role: "system", block }));
  return [
    ...prompt,
    ...messages.flatMap(({ role, blocks }, message) => blocks.map((block) => ({ message, role, block }))),
  ];
}
