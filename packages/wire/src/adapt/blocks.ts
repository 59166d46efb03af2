import { type Block, LonghaulError, type Message, type Position, type Request } from "@longhaul/conversation/advanced";
import { defined, withoutNative } from "../fields/json.ts";

type ChangeBlock = (block: Block, message: Message, position: Position) => Block | undefined;

/**
 * Maps blocks one by one; undefined removes a block. An unchanged message stays the identical object, and one that loses all its blocks is
 * removed.
 */
export function mapBlocks(messages: readonly Message[], change: ChangeBlock): readonly Message[] {
  let rewritten: Message[] | undefined;
  for (const [place, message] of messages.entries()) {
    const blocks = changedBlocks(message, place, change);
    if (blocks !== undefined) rewritten ??= messages.slice(0, place);
    if (blocks === undefined) rewritten?.push(message);
    else if (blocks.length > 0) rewritten?.push(withBlocks(message, blocks));
  }
  return rewritten ?? messages;
}

/** Returns the blocks of a message after a change; undefined if all stay. Nearly all do, so a list is made only for the others. */
function changedBlocks(message: Message, place: number, change: ChangeBlock): Block[] | undefined {
  let kept: Block[] | undefined;
  for (const [index, block] of message.blocks.entries()) {
    const changed = change(block, message, { message: place, block: index });
    if (changed !== block) kept ??= message.blocks.slice(0, index);
    if (changed !== undefined) kept?.push(changed);
  }
  return kept;
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
