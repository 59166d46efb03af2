import {
  type Block,
  type DocumentBlock,
  type ImageBlock,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Tool,
  type ToolCallBlock,
  type ToolResultBlock,
} from "@longhaul/conversation";
import type { TextCounter } from "./bpe/byte-pair-counter.ts";
import { base64Bytes, documentPages } from "./media/documents.ts";
import { imageSize } from "./media/images.ts";
import type { TokenizerFamily } from "./tokenizer-families.ts";

/** Size of a part of a conversation before the ratio is applied: `text` in tokens of the encoding, `fixed` in the model's own. */
export interface Size {
  readonly text: number;
  readonly fixed: number;
}

export interface MeasureRules {
  readonly family: TokenizerFamily;
  /** Counts in the family's encoding. */
  readonly countText: TextCounter;
}

export function measureBlock(block: Block, rules: MeasureRules): Size {
  switch (block.type) {
    case "text":
      return textSize(block.text, rules);
    case "image":
      return imageBlockSize(block, rules);
    case "document":
      return documentSize(block, rules);
    case "tool-call":
      return toolCallSize(block, rules);
    case "tool-result":
      return toolResultSize(block, rules);
    case "thinking":
      return { text: Math.max(rules.countText(block.text), encryptedTextTokens(block.signature ?? "")), fixed: 0 };
    case "redacted-thinking":
      return encryptedSize(block.data);
    case "compaction":
      return block.text === null ? encryptedSize(block.encrypted ?? "") : textSize(block.text, rules);
    case "opaque":
      return jsonSize(block.native.value, rules);
    default:
      return block satisfies never;
  }
}

/** Measures a tool definition. */
export function measureTool(tool: Tool, rules: MeasureRules): Size {
  return { text: jsonSize(toolContent(tool), rules).text, fixed: rules.family.overhead.tool };
}

/** Returns everything that a tool's size depends on. */
export function toolContent({ name, description = "", inputSchema = {} }: Tool): JsonObject {
  return { name, description, parameters: inputSchema };
}

function textSize(text: string, { countText }: MeasureRules): Size {
  return { text: countText(text), fixed: 0 };
}

function jsonSize(value: JsonValue, rules: MeasureRules): Size {
  return textSize(JSON.stringify(value), rules);
}

function encryptedSize(sealed: string): Size {
  return { text: encryptedTextTokens(sealed), fixed: 0 };
}

function imageBlockSize({ source, detail }: ImageBlock, { family }: MeasureRules): Size {
  const pixels = source.kind === "base64" ? imageSize(source.data) : undefined;
  return { text: 0, fixed: family.imageTokens(pixels, detail) };
}

/** A base64 text is not decoded: its bytes are counted, four per token. */
const TEXT_BYTES_PER_TOKEN = 4;

function documentSize({ source, title = "", context = "" }: DocumentBlock, { family, countText }: MeasureRules): Size {
  const heading = countText(title) + countText(context);
  if (source.kind === "text") return { text: heading + countText(source.text), fixed: 0 };
  if (source.kind === "base64" && source.mediaType.startsWith("text/")) {
    return { text: heading + Math.ceil(base64Bytes(source.data) / TEXT_BYTES_PER_TOKEN), fixed: 0 };
  }
  return { text: heading, fixed: family.pageTokens * documentPages(source) };
}

function toolCallSize({ name, input }: ToolCallBlock, rules: MeasureRules): Size {
  const { overhead } = rules.family;
  const nameTokens = rules.countText(name);
  if (overhead.parameter === undefined || !isJsonObject(input)) {
    return { text: nameTokens + argumentTokens(input, rules), fixed: overhead.toolCall };
  }
  const values = Object.values(input);
  const text = values.reduce<number>((sum, value) => sum + argumentTokens(value, rules), nameTokens);
  return { text, fixed: overhead.toolCall + overhead.parameter * values.length };
}

/** A text is read as it is, anything else as JSON. */
function argumentTokens(value: JsonValue, { countText }: MeasureRules): number {
  return countText(typeof value === "string" ? value : JSON.stringify(value));
}

function toolResultSize({ content }: ToolResultBlock, rules: MeasureRules): Size {
  const sizes = content.map((block) => measureBlock(block, rules));
  return {
    text: sizes.reduce((sum, { text }) => sum + text, 0),
    fixed: sizes.reduce((sum, { fixed }) => sum + fixed, rules.family.overhead.toolResult),
  };
}

/** Characters of base64 that encryption adds to reasoning. */
const ENCRYPTION_CHARACTERS = 240;
/** Bytes of reasoning per token of an encoding. */
const BYTES_PER_TOKEN = 4.6;

/**
 * Estimates the tokens of encrypted reasoning by its length. A vendor charges for all reasoning even if it shows only a summary or nothing.
 * Fitted to the signatures and output tokens of a Claude Opus 4.5 session, where it is mostly within a quarter.
 */
export function encryptedTextTokens(base64: string): number {
  const bytes = (Math.max(0, base64.length - ENCRYPTION_CHARACTERS) * 3) / 4;
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}
