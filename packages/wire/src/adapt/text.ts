import {
  type Block,
  isJsonArray,
  isJsonObject,
  type JsonValue,
  type Message,
  type Request,
  type ResultBlock,
  type TextBlock,
  textBlock,
} from "@longhaul/conversation";
import type { AdaptContext } from "../codec/rules.ts";
import { mapBlocks, withBlocks } from "./blocks.ts";

/**
 * Leaves out texts of white space only, which strict servers refuse. A user's message that held nothing else says so, because its place
 * between two replies counts; one of the assistant's or the system's is left out.
 */
export function dropBlankText(request: Request, { rules }: AdaptContext): Request {
  const { conversation } = request;
  if (!rules.refusesBlankText) return request;
  const system = conversation.system.every(isNotBlank) ? conversation.system : conversation.system.filter(isNotBlank);
  const messages = conversation.messages.every(isSound)
    ? conversation.messages
    : conversation.messages.flatMap(dropBlank);
  if (system === conversation.system && messages === conversation.messages) return request;
  return { ...request, conversation: { ...conversation, system, messages } };
}

/** What a user's message without a word is sent as; a single space is refused like none. */
export const NO_CONTENT = "(no content)";

function isSound(message: Message): boolean {
  return message.blocks.length > 0 && message.blocks.every((block) => isNotBlank(block) && hasSoundContent(block));
}

function hasSoundContent(block: Block): boolean {
  return block.type !== "tool-result" || block.content.every(isNotBlank);
}

function dropBlank(message: Message): readonly Message[] {
  if (isSound(message)) return [message];
  const blocks = message.blocks.filter(isNotBlank).map(dropBlankContent);
  if (blocks.length > 0) return [withBlocks(message, blocks)];
  return message.role === "user" ? [withBlocks(message, [textBlock(NO_CONTENT)])] : [];
}

function dropBlankContent(block: Block): Block {
  if (block.type !== "tool-result" || hasSoundContent(block)) return block;
  const { native: _, ...rest } = block;
  return { ...rest, content: block.content.filter(isNotBlank) };
}

const INK = /\S/;

function isNotBlank(block: Block | ResultBlock): boolean {
  return block.type !== "text" || INK.test(block.text);
}

/**
 * Replaces halves of characters (a client that cuts texts by length cuts emoji in two), because servers refuse the whole request for one.
 * Signed reasoning is left alone: it may not be changed, and the vendor wrote it.
 */
export function repairText(request: Request, { warn }: AdaptContext): Request {
  const { conversation } = request;
  const mend = (block: Block): Block => {
    const mended = mendBlock(block);
    if (mended !== block) {
      const message = "half of a character is sent as the sign for an unknown one";
      warn({ feature: "text.broken", action: "changed", message });
    }
    return mended;
  };
  const system = conversation.system.map(mend);
  const messages = mapBlocks(conversation.messages, mend);
  const isSame =
    messages === conversation.messages && system.every((block, index) => block === conversation.system[index]);
  return isSame ? request : { ...request, conversation: { ...conversation, system, messages } };
}

function mendBlock(block: Block): Block {
  if (block.type === "text") return mendTextBlock(block);
  if (block.type === "tool-result") {
    const content = block.content.map(mendPart);
    if (content.every((part, index) => part === block.content[index])) return block;
    const { native: _, ...rest } = block;
    return { ...rest, content };
  }
  if (block.type !== "tool-call") return block;
  const input = mendJson(block.input);
  if (input === block.input) return block;
  const { native: _, ...rest } = block;
  return { ...rest, input };
}

function mendPart(part: ResultBlock): ResultBlock {
  return part.type === "text" ? mendTextBlock(part) : part;
}

function mendTextBlock(block: TextBlock): TextBlock {
  const text = mendString(block.text);
  if (text === block.text) return block;
  const { native: _, ...rest } = block;
  return { ...rest, text };
}

function mendString(text: string): string {
  return knowsHalves(text) && !text.isWellFormed() ? text.toWellFormed() : text;
}

/** What strings can do in every runtime that Longhaul runs on, but only in the library after the one that pure code is compiled with. */
interface Mendable {
  isWellFormed(): boolean;
  toWellFormed(): string;
}

function knowsHalves(text: string): text is string & Mendable {
  return text !== "" && "isWellFormed" in String.prototype;
}

/** The identical value where nothing in it is broken. */
function mendJson(value: JsonValue): JsonValue {
  if (typeof value === "string") return mendString(value);
  if (isJsonArray(value)) {
    const mended = value.map(mendJson);
    return mended.every((inner, index) => inner === value[index]) ? value : mended;
  }
  if (!isJsonObject(value)) return value;
  const mended = Object.entries(value).map(([key, inner]) => [mendString(key), mendJson(inner)] as const);
  const isSame = mended.every(([key, inner]) => value[key] === inner);
  return isSame ? value : Object.fromEntries(mended);
}
