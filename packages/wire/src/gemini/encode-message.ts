import {
  type Block,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Message,
  type RedactedThinkingBlock,
  type ResultBlock,
  type ThinkingBlock,
  type ToolCallBlock,
  type ToolResultBlock,
} from "@longhaul/conversation";
import type { EncodeOptions } from "../codec/rules.ts";
import { inputObject } from "../content/tool-input.ts";
import { defined } from "../fields/json.ts";
import { isPlaceholder, wrapThinking } from "./calls.ts";
import { encodeMedia } from "./media.ts";
import { VENDOR, WIRE } from "./rules.ts";

/** Encodes a message. An unchanged message is written as received. */
export function encodeMessage(message: Message, options: EncodeOptions): JsonValue {
  if (message.native?.wire === WIRE) return message.native.value;
  const role = message.role === "assistant" ? "model" : "user";
  return { role, parts: encodeParts(message.blocks, options), ...(options.extras ? message.extra : undefined) };
}

export function encodeParts(blocks: readonly Block[], options: EncodeOptions): readonly JsonObject[] {
  return blocks.map((block) => encodePart(block, options));
}

/** Encodes a block. An unchanged block is written as received. */
export function encodePart(block: Block, options: EncodeOptions): JsonObject {
  if (block.native?.wire === WIRE && isJsonObject(block.native.value)) return block.native.value;
  const part = encodeKnown(block, options);
  return options.extras && block.extra !== undefined ? withExtra(part, block.extra) : part;
}

function encodeKnown(block: Block, options: EncodeOptions): JsonObject {
  switch (block.type) {
    case "text":
      return { text: block.text };
    case "image":
    case "document":
      return encodeMedia(block);
    case "tool-call":
      return encodeCall(block, options);
    case "tool-result":
      return { functionResponse: encodeResult(block, options) };
    case "thinking":
    case "redacted-thinking":
      return encodeThought(block, options);
    case "compaction":
      return { text: block.text ?? "" };
    case "opaque":
      return { text: "" };
    default:
      return block satisfies never;
  }
}

function encodeCall({ id, name, input, signature }: ToolCallBlock, { vendor }: EncodeOptions): JsonObject {
  const functionCall = { ...encodeId(id), name, args: inputObject(input) };
  return { functionCall, ...defined({ thoughtSignature: vendor === VENDOR ? signature : undefined }) };
}

function encodeId(id: string): JsonObject {
  return isPlaceholder(id) ? {} : { id };
}

function encodeResult({ callId, name = "", content, isError }: ToolResultBlock, options: EncodeOptions): JsonObject {
  const output = content.flatMap(textsOf).join("\n");
  const parts = content.filter((part) => textsOf(part).length === 0).map((part) => encodePart(part, options));
  return {
    ...encodeId(callId),
    name,
    response: isError ? { error: output } : { output },
    ...(parts.length === 0 ? {} : { parts }),
  };
}

/** Returns the text of a result part. Files have their own field. */
function textsOf(part: ResultBlock): readonly string[] {
  if (part.type === "text") return [part.text];
  if (part.type !== "document" || part.source.kind !== "text" || part.native?.wire === WIRE) return [];
  const { text } = encodeMedia(part);
  return typeof text === "string" ? [text] : [];
}

function encodeThought(block: ThinkingBlock | RedactedThinkingBlock, { vendor }: EncodeOptions): JsonObject {
  const isOwn = block.type === "thinking" && (block.signature === undefined || block.vendor === vendor);
  const thoughtSignature = isOwn ? block.signature : wrapThinking(block);
  return { text: block.type === "thinking" ? block.text : "", thought: true, ...defined({ thoughtSignature }) };
}

/** Merges unknown fields back into a part and into the objects in it. */
function withExtra(part: JsonObject, extra: JsonObject): JsonObject {
  const written: Record<string, JsonValue> = { ...extra, ...part };
  for (const [field, value] of Object.entries(extra)) {
    const known = part[field];
    if (isJsonObject(known) && isJsonObject(value)) written[field] = { ...value, ...known };
  }
  return written;
}
