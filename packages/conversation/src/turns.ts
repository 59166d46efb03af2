import type { ToolCallBlock, ToolResultBlock } from "./block.ts";
import { LonghaulError } from "./error.ts";
import type { Message } from "./message.ts";

/** Where a block stands: the index of its message, and its index in there. */
export interface Position {
  readonly message: number;
  readonly block: number;
}

/** A tool call and its answer. A pair without `result` is an open call; results without a call are in `orphans`. */
export interface ToolPair {
  readonly callId: string;
  readonly name: string;
  readonly call: Position;
  readonly result?: Position;
}

/** Every tool call with its result, and the results that answer nothing. */
export interface ToolPairs {
  readonly pairs: readonly ToolPair[];
  readonly orphans: readonly Position[];
}

/**
 * Joins calls and results by id, in reading order. A result answers the oldest open call of its id that stands before it, so an id that
 * a client uses twice still gives two pairs.
 */
export function toolPairs(messages: readonly Message[]): ToolPairs {
  const pairs: { callId: string; name: string; call: Position; result?: Position }[] = [];
  const orphans: Position[] = [];
  const open = new Map<string, number[]>();
  for (const { block, position } of toolBlocks(messages)) {
    if (block.type === "tool-call") {
      const waiting = open.get(block.id) ?? [];
      waiting.push(pairs.length);
      open.set(block.id, waiting);
      pairs.push({ callId: block.id, name: block.name, call: position });
      continue;
    }
    const pair = pairs[open.get(block.callId)?.shift() ?? -1];
    if (pair === undefined) orphans.push(position);
    else pair.result = position;
  }
  return { pairs, orphans };
}

function* toolBlocks(
  messages: readonly Message[],
): Generator<{ block: ToolCallBlock | ToolResultBlock; position: Position }> {
  for (const [message, { blocks }] of messages.entries()) {
    for (const [block, value] of blocks.entries()) {
      if (value.type === "tool-call" || value.type === "tool-result")
        yield { block: value, position: { message, block } };
    }
  }
}

/** A stretch of messages: from the user's own words to just before the next ones. */
export interface Turn {
  readonly from: number;
  /** One past the last message. */
  readonly to: number;
}

/** Splits a conversation at the user's own words. What stands before the first of them is a turn of its own. */
export function turns(messages: readonly Message[]): Turn[] {
  const starts = [...messages.keys()].filter((index) => index === 0 || startsTurn(messages, index));
  return starts.map((from, turn) => ({ from, to: starts[turn + 1] ?? messages.length }));
}

/** Formats with one item per message can split the user's words over several; only the first of them opens a turn. */
function startsTurn(messages: readonly Message[], index: number): boolean {
  const before = messages[index - 1];
  return isUsersOwn(messages[index]) && !isUsersOwn(before);
}

/** Whether a message holds the user's own words, not only tool results. */
export function isUsersOwn(message: Message | undefined): boolean {
  return message?.role === "user" && message.blocks.some((block) => OWN_BLOCKS.has(block.type));
}

const OWN_BLOCKS: ReadonlySet<string> = new Set(["text", "image", "document"]);

/** Index of the latest message with the user's own words, or -1. In an agent loop it may stand far back. */
export function latestUserMessage(messages: readonly Message[]): number {
  return messages.findLastIndex(isUsersOwn);
}

/** Refuses a conversation that has nothing to send. */
export function requireMessages(messages: readonly Message[]): void {
  if (messages.length === 0) throw new LonghaulError("VALIDATION_ERROR", "Conversation has no messages");
}
