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
import type { Audience } from "../codec/rules.ts";
import { inputObject } from "../content/tool-input.ts";
import { given } from "../fields/json.ts";
import { isPlaceholder, sealThinking } from "./calls.ts";
import { encodeMedia } from "./media.ts";
import { VENDOR, WIRE } from "./rules.ts";

/** Writes one message; one that nobody changed is written as it came. */
export function encodeMessage(message: Message, audience: Audience): JsonValue {
  if (message.native?.wire === WIRE) return message.native.value;
  const role = message.role === "assistant" ? "model" : "user";
  return { role, parts: encodeParts(message.blocks, audience), ...(audience.extras ? message.extra : undefined) };
}

/** Writes blocks. */
export function encodeParts(blocks: readonly Block[], audience: Audience): readonly JsonObject[] {
  return blocks.map((block) => encodePart(block, audience));
}

/** Writes one block; one that nobody changed is written as it came. */
export function encodePart(block: Block, audience: Audience): JsonObject {
  if (block.native?.wire === WIRE && isJsonObject(block.native.value)) return block.native.value;
  const part = encodeKnown(block, audience);
  return audience.extras && block.extra !== undefined ? withExtra(part, block.extra) : part;
}

function encodeKnown(block: Block, audience: Audience): JsonObject {
  switch (block.type) {
    case "text":
      return { text: block.text };
    case "image":
    case "document":
      return encodeMedia(block);
    case "tool-call":
      return encodeCall(block, audience);
    case "tool-result":
      return { functionResponse: encodeResult(block, audience) };
    case "thinking":
    case "redacted-thinking":
      return encodeThought(block, audience);
    case "compaction":
      return { text: block.text ?? "" };
    case "opaque":
      return { text: "" };
    default:
      return block satisfies never;
  }
}

function encodeCall({ id, name, input, signature }: ToolCallBlock, { vendor }: Audience): JsonObject {
  const functionCall = { ...encodeId(id), name, args: inputObject(input) };
  return { functionCall, ...given({ thoughtSignature: vendor === VENDOR ? signature : undefined }) };
}

function encodeId(id: string): JsonObject {
  return isPlaceholder(id) ? {} : { id };
}

function encodeResult({ callId, name = "", content, isError }: ToolResultBlock, audience: Audience): JsonObject {
  const output = content.flatMap(wordsOf).join("\n");
  const parts = content.filter((part) => wordsOf(part).length === 0).map((part) => encodePart(part, audience));
  return {
    ...encodeId(callId),
    name,
    response: isError ? { error: output } : { output },
    ...(parts.length === 0 ? {} : { parts }),
  };
}

/** What goes into the response; files have a place of their own. */
function wordsOf(part: ResultBlock): readonly string[] {
  if (part.type === "text") return [part.text];
  if (part.type !== "document" || part.source.kind !== "text" || part.native?.wire === WIRE) return [];
  const { text } = encodeMedia(part);
  return typeof text === "string" ? [text] : [];
}

function encodeThought(block: ThinkingBlock | RedactedThinkingBlock, { vendor }: Audience): JsonObject {
  const isOwn = block.type === "thinking" && (block.signature === undefined || block.vendor === vendor);
  const thoughtSignature = isOwn ? block.signature : sealThinking(block);
  return { text: block.type === "thinking" ? block.text : "", thought: true, ...given({ thoughtSignature }) };
}

/** Puts unknown fields back: those of the part beside what it holds, those of what it holds into it. */
function withExtra(part: JsonObject, extra: JsonObject): JsonObject {
  const written: Record<string, JsonValue> = { ...extra, ...part };
  for (const [field, value] of Object.entries(extra)) {
    const known = part[field];
    if (isJsonObject(known) && isJsonObject(value)) written[field] = { ...value, ...known };
  }
  return written;
}
