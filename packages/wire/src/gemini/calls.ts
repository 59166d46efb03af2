import { type Block, type Message, type Position, type Request, toolPairs } from "@longhaul/conversation";
import { mapBlocks, withBlocks, withMessages } from "../fit/blocks.ts";
import type { Fitting } from "../rules.ts";
import { isPlaceholder } from "./call-ids.ts";
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
