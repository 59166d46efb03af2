import {
  type Block,
  type DocumentBlock,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Message,
  type ToolCallBlock,
  type ToolResultBlock,
  urlOfSource,
} from "@longhaul/conversation";
import type { Audience, Target } from "../codec/rules.ts";
import { documentText } from "../content/media.ts";
import { tagSignature } from "../content/signature.ts";
import { spellInput } from "../content/tool-input.ts";
import { given } from "../fields/json.ts";
import { ERROR_MARK, encodeMark } from "../openai/shape.ts";
import { spellName, WIRE } from "./rules.ts";

/** For whom items are written. */
export interface ResponsesAudience extends Audience, Pick<Target, "systemRole" | "cacheMarks"> {
  /** The tools that take free text; a call of any other is a function's. */
  readonly freeTextTools: ReadonlySet<string>;
  /** The calls, by id, that were made to those tools. */
  readonly freeTextCalls: ReadonlySet<string>;
}

/** Writes one message as the items that say it; one that nobody changed is written as it came. */
export function encodeMessage(message: Message, audience: ResponsesAudience): readonly JsonValue[] {
  const own = message.native?.wire === WIRE ? message.native.value : undefined;
  if (typeof own === "string") return [{ role: "user", content: own }];
  if (own !== undefined && isKept(own, audience)) return [own];
  const items: JsonObject[] = [];
  let words: Block[] = [];
  const flush = () => {
    if (words.length > 0) items.push(encodeWords(message, words, audience));
    words = [];
  };
  for (const block of message.blocks) {
    if (isPart(block)) words.push(block);
    else {
      flush();
      items.push(encodeItem(block, audience));
    }
  }
  flush();
  return items.length === 0 ? [encodeWords(message, [], audience)] : items;
}

/** Whether an item may stay as the client spelled it: some servers know only one name for the system's role. */
export function isKept(item: JsonValue, { systemRole }: ResponsesAudience): boolean {
  const role = isJsonObject(item) ? item.role : undefined;
  return systemRole === undefined || (role !== "system" && role !== "developer") || role === systemRole;
}

function isPart(block: Block): boolean {
  if (block.type === "opaque") return /^(input|output)_/.test(block.kind);
  return block.type === "text" || block.type === "image" || block.type === "document";
}

function encodeWords(message: Message, words: readonly Block[], audience: ResponsesAudience): JsonObject {
  const extra = audience.extras ? message.extra : undefined;
  const named = message.role === "system" && audience.systemRole !== undefined ? { role: audience.systemRole } : {};
  const role = message.role === "assistant" ? "output_text" : "input_text";
  return { type: "message", role: message.role, content: encodeContent(words, role, audience), ...extra, ...named };
}

/** Writes parts; a single text that came as a plain string is one again. */
export function encodeContent(
  blocks: readonly Block[],
  textType: "input_text" | "output_text",
  audience: ResponsesAudience,
): JsonValue {
  const only = blocks.length === 1 ? blocks[0]?.native : undefined;
  if (only?.wire === WIRE && typeof only.value === "string") return only.value;
  return blocks.flatMap((block) => encodePart(block, textType, audience));
}

function encodePart(block: Block, textType: string, audience: ResponsesAudience): JsonObject[] {
  if (block.native?.wire === WIRE && isJsonObject(block.native.value)) return [block.native.value];
  const mark = "cache" in block ? encodeMark(block.cache, audience) : {};
  const extra = audience.extras ? block.extra : undefined;
  switch (block.type) {
    case "text":
      return [{ type: textType, text: block.text, ...mark, ...extra }];
    case "image": {
      const { source, detail = "auto" } = block;
      const place = source.kind === "file" ? { file_id: source.id } : { image_url: urlOfSource(source) ?? "" };
      return [{ type: "input_image", ...place, detail, ...mark }];
    }
    case "document":
      return [{ ...encodeDocument(block, textType), ...mark }];
    default:
      return [];
  }
}

function encodeDocument(block: DocumentBlock, textType: string): JsonObject {
  const { source, title } = block;
  if (source.kind === "text") return { type: textType, text: documentText(block) };
  if (source.kind === "file") return { type: "input_file", file_id: source.id, ...given({ filename: title }) };
  if (source.kind === "url") return { type: "input_file", file_url: source.url, ...given({ filename: title }) };
  // Bytes without a name are refused.
  return { type: "input_file", filename: title ?? "document.pdf", file_data: urlOfSource(source) ?? "" };
}

/** Writes one block that is an item of its own; one that nobody changed is written as it came. */
export function encodeItem(block: Block, audience: ResponsesAudience): JsonObject {
  if (block.native?.wire === WIRE && isJsonObject(block.native.value)) return block.native.value;
  const extra = audience.extras ? block.extra : undefined;
  switch (block.type) {
    case "tool-call":
      return { ...encodeCall(block, audience), ...extra };
    case "tool-result":
      return { ...encodeResult(block, audience), ...extra };
    case "thinking": {
      const summary = block.text === "" ? [] : [{ type: "summary_text", text: block.text }];
      const sealed = tagSignature(block, audience.vendor);
      return {
        type: "reasoning",
        ...given({ id: block.id }),
        summary,
        ...given({ encrypted_content: sealed }),
        ...extra,
      };
    }
    case "redacted-thinking": {
      const sealed = tagSignature({ ...block, signature: block.data }, audience.vendor) ?? "";
      return { type: "reasoning", summary: [], encrypted_content: sealed };
    }
    case "compaction":
      return { type: "compaction", encrypted_content: block.encrypted ?? "", ...extra };
    default:
      return { type: "message", role: "user", content: [] };
  }
}

function encodeCall({ id, name, input, freeText }: ToolCallBlock, { freeTextTools }: ResponsesAudience): JsonObject {
  if (typeof input === "string" && freeText !== false && freeTextTools.has(name)) {
    return { type: "custom_tool_call", call_id: id, ...spellName(name), input };
  }
  return { type: "function_call", call_id: id, ...spellName(name), arguments: spellInput(input) };
}

function encodeResult(result: ToolResultBlock, audience: ResponsesAudience): JsonObject {
  const type = audience.freeTextCalls.has(result.callId) ? "custom_tool_call_output" : "function_call_output";
  return { type, call_id: result.callId, output: encodeOutput(result, audience) };
}

function encodeOutput({ content, isError, cache }: ToolResultBlock, audience: ResponsesAudience): JsonValue {
  const failed: Block[] = isError ? [{ type: "text", text: ERROR_MARK }] : [];
  const parts = [...failed, ...content].flatMap((block) => encodePart(block, "input_text", audience));
  const mark = encodeMark(cache, audience);
  const [only] = parts;
  const isMarked = Object.keys(mark).length > 0 || content.some((part) => part.cache !== undefined);
  if (parts.length <= 1 && !isMarked && (only === undefined || only.type === "input_text")) return only?.text ?? "";
  const last = parts.at(-1) ?? { type: "input_text", text: "" };
  return [...parts.slice(0, -1), { ...last, ...mark }];
}
