import {
  type Block,
  type CacheMark,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MediaSource,
  type Message,
  type Native,
  type OpaqueBlock,
  type ResultBlock,
  type Role,
  type ToolResultBlock,
} from "@longhaul/conversation/advanced";
import { readSignature } from "../content/signature.ts";
import {
  defined,
  extraOf,
  malformed,
  nativeMessage,
  nativeText,
  nonEmptyString,
  optionalString,
  readEach,
  readObject,
  readString,
} from "../fields/json.ts";
import { VENDOR, WIRE } from "./rules.ts";

/** Decodes one entry of `messages`. */
export function decodeMessage(value: JsonValue, path = "message"): Message {
  const message = readObject(value, path);
  const blocks = decodeContent(message.content, `${path}.content`);
  const extra = extraOf(message, MESSAGE_FIELDS);
  return defined({ role: readRole(message.role, path), blocks, native: nativeMessage(WIRE, value, blocks), extra });
}

const MESSAGE_FIELDS: ReadonlySet<string> = new Set(["role", "content"]);

function readRole(role: JsonValue | undefined, path: string): Role {
  if (role === "user" || role === "assistant" || role === "system") return role;
  throw malformed(`${path}.role`, '"user", "assistant" or "system"', role);
}

/** Decodes the content of a message or system prompt: a string, or blocks. */
export function decodeContent(content: JsonValue | undefined, path: string, vendor = VENDOR): readonly Block[] {
  if (content === undefined || content === null) return [];
  if (typeof content === "string") return [nativeText(WIRE, content)];
  if (isJsonArray(content)) return content.map((block, index) => decodeBlock(block, `${path}[${index}]`, vendor));
  throw malformed(path, "a string or an array of blocks", content);
}

/** Decodes a block. Signatures without a tag belong to `vendor`. */
export function decodeBlock(value: JsonValue, path: string, vendor = VENDOR): Block {
  const block = readObject(value, path);
  const native = { wire: WIRE, value };
  const cache = decodeCache(block.cache_control);
  switch (block.type) {
    case "text": {
      const text = readString(block.text, `${path}.text`);
      return defined({ type: "text", text, cache, native, extra: extraOf(block, TEXT_FIELDS) });
    }
    case "tool_use": {
      const id = readString(block.id, `${path}.id`);
      const name = readString(block.name, `${path}.name`);
      const extra = extraOf(block, CALL_FIELDS);
      return defined({ type: "tool-call", id, name, input: block.input ?? {}, cache, native, extra });
    }
    case "tool_result":
      return { ...decodeResult(block, path), ...defined({ cache, native }) };
    case "thinking":
    case "redacted_thinking":
      return decodeThinking(block, native, vendor);
    case "compaction": {
      const text = optionalString(block.content) ?? null;
      const encrypted = optionalString(block.encrypted_content);
      const extra = extraOf(block, COMPACTION_FIELDS);
      return defined({ type: "compaction", text, encrypted, vendor, cache, native, extra });
    }
    default:
      return decodeMedia(block, native, cache) ?? opaqueOf(block, path);
  }
}

const TEXT_FIELDS: ReadonlySet<string> = new Set(["type", "text", "cache_control"]);
const CALL_FIELDS: ReadonlySet<string> = new Set(["type", "id", "name", "input", "cache_control"]);
const RESULT_FIELDS: ReadonlySet<string> = new Set(["type", "tool_use_id", "content", "is_error", "cache_control"]);
const THINKING_FIELDS: ReadonlySet<string> = new Set(["type", "thinking", "signature", "data"]);
const COMPACTION_FIELDS: ReadonlySet<string> = new Set(["type", "content", "encrypted_content", "cache_control"]);
const MEDIA_FIELDS: ReadonlySet<string> = new Set(["type", "source", "title", "context", "cache_control"]);

export function decodeCache(mark: JsonValue | undefined): CacheMark | undefined {
  if (!isJsonObject(mark)) return undefined;
  return mark.ttl === "5m" || mark.ttl === "1h" ? { ttl: mark.ttl } : {};
}

function decodeResult(block: JsonObject, path: string): ToolResultBlock {
  const content = decodeResultContent(block.content, `${path}.content`);
  const callId = readString(block.tool_use_id, `${path}.tool_use_id`);
  const isError = block.is_error === true;
  return defined({ type: "tool-result", callId, content, isError, extra: extraOf(block, RESULT_FIELDS) });
}

function decodeResultContent(content: JsonValue | undefined, path: string): readonly ResultBlock[] {
  if (content === undefined || content === null) return [];
  if (typeof content === "string") return [nativeText(WIRE, content)];
  return readEach(content, path, (part, place) => {
    const block = decodeBlock(part, place);
    return isResultBlock(block) ? block : opaqueOf(part, place);
  });
}

function isResultBlock(block: Block): block is ResultBlock {
  return block.type === "text" || block.type === "image" || block.type === "document" || block.type === "opaque";
}

function decodeThinking(block: JsonObject, own: Native, vendor: string): Block {
  const signature = optionalString(block.type === "thinking" ? block.signature : block.data);
  const signed = readSignature(signature, vendor);
  // A tagged signature must be encoded again, without the tag.
  const isTagged = signed.vendor !== undefined && signed.vendor !== vendor;
  const native = isTagged ? undefined : own;
  const extra = extraOf(block, THINKING_FIELDS);
  if (block.type === "thinking") {
    return defined({ type: "thinking", text: optionalString(block.thinking) ?? "", ...signed, native, extra });
  }
  return defined({ type: "redacted-thinking", data: signed.signature ?? "", vendor: signed.vendor, native, extra });
}

function decodeMedia(block: JsonObject, native: Native, cache: CacheMark | undefined): Block | undefined {
  const extra = extraOf(block, MEDIA_FIELDS);
  const source = isJsonObject(block.source) ? block.source : {};
  const media = decodeSource(source);
  if (block.type === "image" && media !== undefined)
    return defined({ type: "image", source: media, cache, native, extra });
  if (block.type !== "document") return undefined;
  const text = source.type === "text" ? optionalString(source.data) : undefined;
  const file = text === undefined ? media : { kind: "text" as const, text };
  if (file === undefined) return undefined;
  const about = { title: nonEmptyString(block.title), context: nonEmptyString(block.context) };
  return defined({ type: "document", source: file, ...about, cache, native, extra });
}

function decodeSource({ type, media_type, data, url, file_id }: JsonObject): MediaSource | undefined {
  if (type === "base64" && typeof data === "string") {
    return { kind: "base64", mediaType: optionalString(media_type) ?? "", data };
  }
  if (type === "url" && typeof url === "string") return { kind: "url", url };
  return type === "file" && typeof file_id === "string" ? { kind: "file", id: file_id } : undefined;
}

/** Returns a block that the canonical model does not know. */
function opaqueOf(value: JsonValue, path: string): OpaqueBlock {
  const block = readObject(value, path);
  const kind = readString(block.type, `${path}.type`);
  return defined({ type: "opaque", kind, native: { wire: WIRE, value }, cache: decodeCache(block.cache_control) });
}
