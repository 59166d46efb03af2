import { type Block, LonghaulError, type Message, type Position, type Request } from "@longhaul/conversation";
import { defined, withoutNative } from "../fields/json.ts";

/**
 * Maps blocks one by one; undefined removes a block. An unchanged message stays the identical object, and one that loses all its blocks is
 * removed.
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

/** Returns the message with other blocks and without the client's original bytes. */
export function withBlocks(message: Message, blocks: readonly Block[]): Message {
  return { ...withoutNative(message), blocks };
}

/** Returns the request with other messages, or the identical request if they are the same. */
export function withMessages(request: Request, messages: readonly Message[]): Request {
  if (messages === request.conversation.messages) return request;
  return { ...request, conversation: { ...request.conversation, messages } };
}

/** Creates the error for a feature that the destination does not support. */
export function unsupported(feature: string, message: string, param?: string): LonghaulError {
  return new LonghaulError("request.unsupported", `${feature}: ${message}`, defined({ param }));
}
