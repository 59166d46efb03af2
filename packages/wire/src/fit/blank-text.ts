import { type Block, type Message, type Request, type ResultBlock, textBlock } from "@longhaul/conversation";
import type { Fitting } from "../codec/rules.ts";
import { withBlocks } from "./blocks.ts";

/**
 * Leaves out texts of white space only, which strict servers refuse. A user's message that held nothing else says so, because its place
 * between two replies counts; one of the assistant's or the system's is left out.
 */
export function dropBlankText(request: Request, { rules }: Fitting): Request {
  const { conversation } = request;
  if (!rules.refusesBlankText) return request;
  const system = conversation.system.every(saysSomething)
    ? conversation.system
    : conversation.system.filter(saysSomething);
  const messages = conversation.messages.every(isSound)
    ? conversation.messages
    : conversation.messages.flatMap(dropBlank);
  if (system === conversation.system && messages === conversation.messages) return request;
  return { ...request, conversation: { ...conversation, system, messages } };
}

/** What a user's message without a word is sent as; a single space is refused like none. */
export const NO_CONTENT = "(no content)";

function isSound(message: Message): boolean {
  return message.blocks.length > 0 && message.blocks.every((block) => saysSomething(block) && hasSoundContent(block));
}

function hasSoundContent(block: Block): boolean {
  return block.type !== "tool-result" || block.content.every(saysSomething);
}

function dropBlank(message: Message): readonly Message[] {
  if (isSound(message)) return [message];
  const blocks = message.blocks.filter(saysSomething).map(dropBlankContent);
  if (blocks.length > 0) return [withBlocks(message, blocks)];
  return message.role === "user" ? [withBlocks(message, [textBlock(NO_CONTENT)])] : [];
}

function dropBlankContent(block: Block): Block {
  if (block.type !== "tool-result" || hasSoundContent(block)) return block;
  const { native: _, ...rest } = block;
  return { ...rest, content: block.content.filter(saysSomething) };
}

const INK = /\S/;

function saysSomething(block: Block | ResultBlock): boolean {
  return block.type !== "text" || INK.test(block.text);
}
