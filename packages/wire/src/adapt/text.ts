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
} from "@longhaul/conversation/advanced";
import type { AdaptContext } from "../codec/rules.ts";
import { withoutNative } from "../fields/json.ts";
import { mapBlocks, withBlocks } from "./blocks.ts";

/**
 * Drops text that is only whitespace, which strict servers reject. A user message without other content becomes `NO_CONTENT`, because it
 * separates two replies; an assistant or system message is removed.
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

/** Replaces an empty user message. A single space would be rejected too. */
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
  return { ...withoutNative(block), content: block.content.filter(isNotBlank) };
}

const VISIBLE = /\S/;

function isNotBlank(block: Block | ResultBlock): boolean {
  return block.type !== "text" || VISIBLE.test(block.text);
}

/**
 * Replaces unpaired surrogates, because servers reject a whole request for one. Clients that truncate text by length cut emoji in half.
 * Signed reasoning is left alone, because it must not change.
 */
export function repairText(request: Request, { warn }: AdaptContext): Request {
  const { conversation } = request;
  const repair = (block: Block): Block => {
    const repaired = repairBlock(block);
    if (repaired !== block) {
      warn("text.broken", "changed", "an unpaired surrogate was replaced with U+FFFD");
    }
    return repaired;
  };
  const system = conversation.system.map(repair);
  const messages = mapBlocks(conversation.messages, repair);
  const isSame =
    messages === conversation.messages && system.every((block, index) => block === conversation.system[index]);
  return isSame ? request : { ...request, conversation: { ...conversation, system, messages } };
}

function repairBlock(block: Block): Block {
  if (block.type === "text") return repairTextBlock(block);
  if (block.type === "tool-result") {
    const content = block.content.map((part) => (part.type === "text" ? repairTextBlock(part) : part));
    if (content.every((part, index) => part === block.content[index])) return block;
    return { ...withoutNative(block), content };
  }
  if (block.type !== "tool-call") return block;
  const input = repairJson(block.input);
  if (input === block.input) return block;
  return { ...withoutNative(block), input };
}

function repairTextBlock(block: TextBlock): TextBlock {
  const text = repairString(block.text);
  if (text === block.text) return block;
  return { ...withoutNative(block), text };
}

function repairString(text: string): string {
  return canCheck(text) && !text.isWellFormed() ? text.toWellFormed() : text;
}

/** String methods that every runtime has, but the ES2023 type library does not. */
interface WellFormable {
  isWellFormed(): boolean;
  toWellFormed(): string;
}

function canCheck(text: string): text is string & WellFormable {
  return text !== "" && "isWellFormed" in String.prototype;
}

/** Returns the identical value if nothing needs repair. */
function repairJson(value: JsonValue): JsonValue {
  if (typeof value === "string") return repairString(value);
  if (isJsonArray(value)) {
    const repaired = value.map(repairJson);
    return repaired.every((inner, index) => inner === value[index]) ? value : repaired;
  }
  if (!isJsonObject(value)) return value;
  const repaired = Object.entries(value).map(([key, inner]) => [repairString(key), repairJson(inner)] as const);
  const isSame = repaired.every(([key, inner]) => value[key] === inner);
  return isSame ? value : Object.fromEntries(repaired);
}
