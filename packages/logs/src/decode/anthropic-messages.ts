import type {
  Block,
  CacheMark,
  JsonObject,
  JsonValue,
  MediaSource,
  Message,
  OpaqueBlock,
  ResultBlock,
  Role,
  Tool,
  ToolResultBlock,
  Usage,
} from "@longhaul/conversation";
import { isJsonObject } from "@longhaul/conversation";
import { extraFields, isJsonList, listAt, numberAt, objectAt, textAt, tokensAt } from "../fields.ts";

const WIRE = "anthropic-messages";
const VENDOR = "anthropic";

/** One entry of `messages`; nothing where it has no known role or no readable content. */
export function decodeMessage(entry: JsonObject): Message | undefined {
  const role = textAt(entry, "role");
  const blocks = decodeContent(entry.content);
  if (!isRole(role) || blocks === undefined) return undefined;
  return { role, blocks, ...extraFields(entry, MESSAGE_FIELDS), native: { wire: WIRE, value: entry } };
}

/** A message's content, or `system`: a text, or a list of blocks. An empty text is no block. */
export function decodeContent(content: JsonValue | undefined): Block[] | undefined {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  if (!isJsonList(content)) return undefined;
  return content.map(decodeBlock);
}

/** The tools of a request body. */
export function decodeTools(body: JsonObject): Tool[] {
  return (listAt(body, "tools") ?? []).filter(isJsonObject).map(decodeTool);
}

/** `usage` of a reply. */
export function decodeUsage(usage: JsonObject): Usage {
  const hourTokens = numberAt(objectAt(usage, "cache_creation"), "ephemeral_1h_input_tokens");
  const iterations = (listAt(usage, "iterations") ?? []).filter(isJsonObject).filter(isLeftOut).map(decodeUsage);
  return {
    inputTokens: tokensAt(usage, "input_tokens"),
    cacheReadTokens: tokensAt(usage, "cache_read_input_tokens"),
    cacheWriteTokens: tokensAt(usage, "cache_creation_input_tokens"),
    ...(hourTokens !== undefined && hourTokens > 0 && { cacheWriteHourTokens: hourTokens }),
    outputTokens: tokensAt(usage, "output_tokens"),
    ...(iterations.length > 0 && { iterations }),
  };
}

/** The top-level figures hold every iteration but the compactions. */
function isLeftOut(iteration: JsonObject): boolean {
  return iteration.type === "compaction";
}

const ROLES: ReadonlySet<string | undefined> = new Set<Role>(["user", "assistant", "system"]);

function isRole(word: string | undefined): word is Role {
  return ROLES.has(word);
}

const MESSAGE_FIELDS: ReadonlySet<string> = new Set(["role", "content"]);

function decodeBlock(value: JsonValue): Block {
  if (!isJsonObject(value)) return opaque(value);
  switch (value.type) {
    case "tool_use":
      return decodeToolCall(value);
    case "tool_result":
      return decodeToolResult(value);
    case "thinking":
      return decodeThinking(value);
    case "redacted_thinking":
      return decodeRedactedThinking(value);
    case "compaction":
      return decodeCompaction(value);
    default:
      return decodeResultBlock(value);
  }
}

function decodeResultBlock(value: JsonValue): ResultBlock {
  if (!isJsonObject(value)) return opaque(value);
  switch (value.type) {
    case "text":
      return decodeText(value);
    case "image":
      return decodeImage(value);
    case "document":
      return decodeDocument(value);
    default:
      return opaque(value);
  }
}

function decodeText(value: JsonObject): ResultBlock {
  const text = textAt(value, "text");
  if (text === undefined) return opaque(value);
  return { type: "text", text, ...carried(value, ["text"]) };
}

function decodeImage(value: JsonObject): ResultBlock {
  const source = decodeSource(objectAt(value, "source"));
  if (source === undefined) return opaque(value);
  return { type: "image", source, ...carried(value, ["source"]) };
}

function decodeDocument(value: JsonObject): ResultBlock {
  const given = objectAt(value, "source");
  const text = given?.type === "text" ? textAt(given, "data") : undefined;
  const source = text === undefined ? decodeSource(given) : ({ kind: "text", text } as const);
  if (source === undefined) return opaque(value);
  const title = textAt(value, "title");
  const context = textAt(value, "context");
  return {
    type: "document",
    source,
    ...(title !== undefined && { title }),
    ...(context !== undefined && { context }),
    ...carried(value, ["source", "title", "context"]),
  };
}

function decodeSource(source: JsonObject | undefined): MediaSource | undefined {
  const data = textAt(source, "data");
  const mediaType = textAt(source, "media_type");
  const url = textAt(source, "url");
  const id = textAt(source, "file_id");
  if (source?.type === "base64" && data !== undefined && mediaType !== undefined)
    return { kind: "base64", mediaType, data };
  if (source?.type === "url" && url !== undefined) return { kind: "url", url };
  if (source?.type === "file" && id !== undefined) return { kind: "file", id };
  return undefined;
}

function decodeToolCall(value: JsonObject): Block {
  const id = textAt(value, "id");
  const name = textAt(value, "name");
  if (id === undefined || name === undefined) return opaque(value);
  return { type: "tool-call", id, name, input: value.input ?? {}, ...carried(value, ["id", "name", "input"]) };
}

function decodeToolResult(value: JsonObject): ToolResultBlock | OpaqueBlock {
  const callId = textAt(value, "tool_use_id");
  if (callId === undefined) return opaque(value);
  return {
    type: "tool-result",
    callId,
    content: decodeResultContent(value.content),
    isError: value.is_error === true,
    ...carried(value, ["tool_use_id", "content", "is_error"]),
  };
}

function decodeResultContent(content: JsonValue | undefined): ResultBlock[] {
  if (content === undefined || content === null || content === "") return [];
  if (typeof content === "string") return [{ type: "text", text: content }];
  return isJsonList(content) ? content.map(decodeResultBlock) : [opaque(content)];
}

function decodeThinking(value: JsonObject): Block {
  const text = textAt(value, "thinking");
  const signature = textAt(value, "signature");
  if (text === undefined) return opaque(value);
  return {
    type: "thinking",
    text,
    ...(signature !== undefined && { signature }),
    vendor: VENDOR,
    ...carried(value, ["thinking", "signature"]),
  };
}

function decodeRedactedThinking(value: JsonObject): Block {
  const data = textAt(value, "data");
  if (data === undefined) return opaque(value);
  return { type: "redacted-thinking", data, vendor: VENDOR, ...carried(value, ["data"]) };
}

function decodeCompaction(value: JsonObject): Block {
  const encrypted = textAt(value, "encrypted_content");
  return {
    type: "compaction",
    text: textAt(value, "content") ?? null,
    ...(encrypted !== undefined && { encrypted }),
    vendor: VENDOR,
    ...carried(value, ["content", "encrypted_content"]),
  };
}

/** What rides along with a block: the cache mark, the fields without a name, and the value as it was. */
function carried(value: JsonObject, known: readonly string[]) {
  const mark = objectAt(value, "cache_control");
  return {
    ...(mark !== undefined && { cache: decodeCacheMark(mark) }),
    ...extraFields(value, new Set(["type", "cache_control", ...known])),
    native: { wire: WIRE, value },
  };
}

function decodeCacheMark(mark: JsonObject): CacheMark {
  return mark.ttl === "5m" || mark.ttl === "1h" ? { ttl: mark.ttl } : {};
}

function opaque(value: JsonValue): OpaqueBlock {
  const kind = isJsonObject(value) ? textAt(value, "type") : undefined;
  return { type: "opaque", kind: kind ?? "unknown", native: { wire: WIRE, value } };
}

const TOOL_FIELDS = ["name", "description", "input_schema"];

function decodeTool(value: JsonObject): Tool {
  const description = textAt(value, "description");
  const inputSchema = objectAt(value, "input_schema");
  return {
    name: textAt(value, "name") ?? "",
    kind: inputSchema === undefined ? "server" : "function",
    ...(description !== undefined && { description }),
    ...(inputSchema !== undefined && { inputSchema }),
    ...carried(value, TOOL_FIELDS),
  };
}
