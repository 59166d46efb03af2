import { type Block, LonghaulError, type Message, type Position, type Request } from "@longhaul/conversation";
import { defined } from "../fields/json.ts";

/**
 * Rewrites blocks one by one; undefined leaves a block out. A message of which nothing changes is the identical object, one that loses
 * all its blocks is left out.
 */
export function mapBlocks(
  messages: readonly Message[],
  change: (block: Block, message: Message, position: Position) => Block | undefined,
): readonly Message[] {
  let changed = false;
  const rewritten: Message[] = [];
  for (const [place, message] of messages.entries()) {
    const blocks = message.blocks.map((block, index) => change(block, message, { message: place, block: index }));
    if (blocks.every((block, index) => block === message.blocks[index])) {
      rewritten.push(message);
      continue;
    }
    changed = true;
    const kept = blocks.filter((block) => block !== undefined);
    if (kept.length > 0) rewritten.push(withBlocks(message, kept));
  }
  return changed ? rewritten : messages;
}

/** A message with other blocks, so no longer the one that the client wrote. */
export function withBlocks(message: Message, blocks: readonly Block[]): Message {
  const { native: _, ...rest } = message;
  return { ...rest, blocks };
}

/** A request with other messages; the identical one where they are the same. */
export function withMessages(request: Request, messages: readonly Message[]): Request {
  if (messages === request.conversation.messages) return request;
  return { ...request, conversation: { ...request.conversation, messages } };
}

/** Refuses what a target can't be told. */
export function unsupported(feature: string, message: string, param?: string): LonghaulError {
  return new LonghaulError("request.unsupported", `${feature}: ${message}`, defined({ param }));
}
