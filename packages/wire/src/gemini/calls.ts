import { type Block, type Message, type Position, pureHash, type Request, toolPairs } from "@longhaul/conversation";
import type { Fitting } from "../codec/rules.ts";
import { mapBlocks, withBlocks, withMessages } from "../fit/blocks.ts";
import { dropProofs, joinProofs, signCalls } from "./proofs.ts";

/** Settles what the API wants of calls and results: proofs of the thinking behind them, names, and an order (docs/wire/gemini.md#calls). */
export function settleCalls(request: Request, fitting: Fitting): Request {
  const steps = [joinProofs, dropProofs, signCalls, nameResults, orderResults];
  const settled = steps.reduce((messages, step) => step(messages, fitting), request.conversation.messages);
  return withMessages(request, settled);
}

/** Every result says whose it is. */
function nameResults(messages: readonly Message[]): readonly Message[] {
  const names = new Map<Block | undefined, string>();
  for (const { name, result } of toolPairs(messages).pairs) names.set(blockAt(messages, result), name);
  return mapBlocks(messages, (block) => {
    const name = names.get(block);
    if (block.type !== "tool-result" || block.name !== undefined || name === undefined) return block;
    const { native: _, ...rest } = block;
    return { ...rest, name };
  });
}

/** Without ids, results are told apart by their order: that of the calls. */
function orderResults(messages: readonly Message[]): readonly Message[] {
  const ranks = new Map<Block | undefined, number>();
  for (const [rank, { result }] of toolPairs(messages).pairs.entries()) ranks.set(blockAt(messages, result), rank);
  const rankOf = (block: Block) => ranks.get(block) ?? 0;
  const ordered = messages.map((message) => {
    const unnumbered = message.blocks.filter((block) => block.type === "tool-result" && isPlaceholder(block.callId));
    const sorted = unnumbered.toSorted((left, right) => rankOf(left) - rankOf(right));
    if (sorted.every((block, index) => block === unnumbered[index])) return message;
    const next = sorted.values();
    const blocks = message.blocks.map((block) => (unnumbered.includes(block) ? (next.next().value ?? block) : block));
    return withBlocks(message, blocks);
  });
  return ordered.every((message, index) => message === messages[index]) ? messages : ordered;
}

function blockAt(messages: readonly Message[], at: Position | undefined): Block | undefined {
  return at === undefined ? undefined : messages[at.message]?.blocks[at.block];
}

/** What an id begins with that stands for none. Such ids are never sent to Gemini. */
const PLACEHOLDER = "gemini_call_";

/**
 * The id of a call or a result that came without one. Both have the tool's name, so they find each other: of several calls of one name
 * the results answer the oldest first (see `toolPairs`), which is how Gemini itself reads them.
 */
export function placeholderId(name: string): string {
  return `${PLACEHOLDER}${name}`;
}

/** The id of a call without one in a reply: unlike any in other replies, because clients of other formats tell calls apart by it. */
export function replyCallId(replyId: string, serial: number, words: string): string {
  return `${PLACEHOLDER}${replyId === "" ? pureHash(words) : replyId}_${serial}`;
}

/** Whether an id stands for none. */
export function isPlaceholder(id: string): boolean {
  return id.startsWith(PLACEHOLDER);
}
