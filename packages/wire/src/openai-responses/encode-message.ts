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
} from "@longhaul/conversation/advanced";
import type { EncodeOptions, WireDestination } from "../codec/rules.ts";
import { documentText } from "../content/media.ts";
import { tagSignature } from "../content/signature.ts";
import { stringifyInput } from "../content/tool-input.ts";
import { defined } from "../fields/json.ts";
import { ERROR_MARK, encodeMark, keepsRole } from "../openai/shape.ts";
import { encodeName, WIRE } from "./rules.ts";

export interface ResponsesEncodeOptions extends EncodeOptions, Pick<WireDestination, "systemRole" | "cacheMarks"> {
  /** Names of free-text tools. Calls of all other tools are function calls. */
  readonly freeTextTools: ReadonlySet<string>;
  /** Ids of calls to free-text tools. */
  readonly freeTextCalls: ReadonlySet<string>;
}

/** Encodes a message as items. An unchanged message is written as received. */
export function encodeMessage(message: Message, options: ResponsesEncodeOptions): readonly JsonValue[] {
  const own = message.native?.wire === WIRE ? message.native.value : undefined;
  if (typeof own === "string") return [{ role: "user", content: own }];
  if (own !== undefined && keepsRole(own, options)) return [own];
  const items: JsonObject[] = [];
  let parts: Block[] = [];
  const flush = () => {
    if (parts.length > 0) items.push(encodeMessageItem(message, parts, options));
    parts = [];
  };
  for (const block of message.blocks) {
    if (isPart(block)) parts.push(block);
    else {
      flush();
      items.push(encodeItem(block, options));
    }
  }
  flush();
  return items.length === 0 ? [encodeMessageItem(message, [], options)] : items;
}

function isPart(block: Block): boolean {
  if (block.type === "opaque") return /^(input|output)_/.test(block.kind);
  return block.type === "text" || block.type === "image" || block.type === "document";
}

function encodeMessageItem(message: Message, parts: readonly Block[], options: ResponsesEncodeOptions): JsonObject {
  const extra = options.extras ? message.extra : undefined;
  const named = message.role === "system" && options.systemRole !== undefined ? { role: options.systemRole } : {};
  const role = message.role === "assistant" ? "output_text" : "input_text";
  return { type: "message", role: message.role, content: encodeContent(parts, role, options), ...extra, ...named };
}

/** Encodes parts. A single text that was received as a plain string stays one. */
export function encodeContent(
  blocks: readonly Block[],
  textType: "input_text" | "output_text",
  options: ResponsesEncodeOptions,
): JsonValue {
  const only = blocks.length === 1 ? blocks[0]?.native : undefined;
  if (only?.wire === WIRE && typeof only.value === "string") return only.value;
  return blocks.flatMap((block) => encodePart(block, textType, options));
}

function encodePart(block: Block, textType: string, options: ResponsesEncodeOptions): JsonObject[] {
  if (block.native?.wire === WIRE && isJsonObject(block.native.value)) return [block.native.value];
  const mark = "cache" in block ? encodeMark(block.cache, options) : {};
  const extra = options.extras ? block.extra : undefined;
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
  if (source.kind === "file") return { type: "input_file", file_id: source.id, ...defined({ filename: title }) };
  if (source.kind === "url") return { type: "input_file", file_url: source.url, ...defined({ filename: title }) };
  // The API rejects file data without a name.
  return { type: "input_file", filename: title ?? "document.pdf", file_data: urlOfSource(source) ?? "" };
}

/** Encodes a block that is an item. An unchanged item is written as received. */
export function encodeItem(block: Block, options: ResponsesEncodeOptions): JsonObject {
  if (block.native?.wire === WIRE && isJsonObject(block.native.value)) return block.native.value;
  const extra = options.extras ? block.extra : undefined;
  switch (block.type) {
    case "tool-call":
      return { ...encodeCall(block, options), ...extra };
    case "tool-result":
      return { ...encodeResult(block, options), ...extra };
    case "thinking": {
      const summary = block.text === "" ? [] : [{ type: "summary_text", text: block.text }];
      const encrypted = tagSignature(block, options.vendor);
      return {
        type: "reasoning",
        ...defined({ id: block.id }),
        summary,
        ...defined({ encrypted_content: encrypted }),
        ...extra,
      };
    }
    case "redacted-thinking": {
      const encrypted = tagSignature({ ...block, signature: block.data }, options.vendor) ?? "";
      return { type: "reasoning", summary: [], encrypted_content: encrypted };
    }
    case "compaction":
      return { type: "compaction", encrypted_content: block.encrypted ?? "", ...extra };
    default:
      return { type: "message", role: "user", content: [] };
  }
}

function encodeCall(
  { id, name, input, freeText }: ToolCallBlock,
  { freeTextTools }: ResponsesEncodeOptions,
): JsonObject {
  if (typeof input === "string" && freeText !== false && freeTextTools.has(name)) {
    return { type: "custom_tool_call", call_id: id, ...encodeName(name), input };
  }
  return { type: "function_call", call_id: id, ...encodeName(name), arguments: stringifyInput(input) };
}

function encodeResult(result: ToolResultBlock, options: ResponsesEncodeOptions): JsonObject {
  const type = options.freeTextCalls.has(result.callId) ? "custom_tool_call_output" : "function_call_output";
  return { type, call_id: result.callId, output: encodeOutput(result, options) };
}

function encodeOutput({ content, isError, cache }: ToolResultBlock, options: ResponsesEncodeOptions): JsonValue {
  const failed: Block[] = isError ? [{ type: "text", text: ERROR_MARK }] : [];
  const parts = [...failed, ...content].flatMap((block) => encodePart(block, "input_text", options));
  const mark = encodeMark(cache, options);
  const [only] = parts;
  const isMarked = Object.keys(mark).length > 0 || content.some((part) => part.cache !== undefined);
  if (parts.length <= 1 && !isMarked && (only === undefined || only.type === "input_text")) return only?.text ?? "";
  const last = parts.at(-1) ?? { type: "input_text", text: "" };
  return [...parts.slice(0, -1), { ...last, ...mark }];
}
