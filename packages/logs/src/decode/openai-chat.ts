import type {
  Block,
  DocumentBlock,
  ImageBlock,
  JsonObject,
  JsonValue,
  MediaSource,
  Message,
  OpaqueBlock,
  ResultBlock,
  Role,
  Tool,
  ToolCallBlock,
} from "@longhaul/conversation";
import { isJsonObject } from "@longhaul/conversation";
import { extraFields, isJsonList, listAt, objectAt, textAt } from "../fields.ts";

const WIRE = "openai-chat";

/** One entry of `messages`; nothing where it has no known role or no readable content. One entry is one message. */
export function decodeMessage(entry: JsonObject): Message | undefined {
  switch (entry.role) {
    case "user":
      return decodeTalk("user", entry);
    case "system":
    case "developer":
      return decodeTalk("system", entry);
    case "assistant":
      return decodeAssistant(entry);
    case "tool":
      return decodeToolMessage(entry, textAt(entry, "tool_call_id"));
    // Before tools there were functions: one call per message and no id, so that the name stands for it.
    case "function":
      return decodeToolMessage(entry, textAt(entry, "name"));
    default:
      return undefined;
  }
}

/** The tools of a request body. */
export function decodeTools(body: JsonObject): Tool[] {
  return (listAt(body, "tools") ?? []).filter(isJsonObject).map(decodeTool);
}

function decodeTalk(role: Role, entry: JsonObject): Message | undefined {
  const blocks = decodeContent(entry.content);
  if (blocks === undefined) return undefined;
  return { role, blocks, ...carried(entry, ["role", "content"]) };
}

const ASSISTANT_FIELDS = ["role", "content", "tool_calls", "function_call", "reasoning_content", "reasoning"];

function decodeAssistant(entry: JsonObject): Message | undefined {
  const content = entry.content ?? "";
  const blocks = decodeContent(content);
  if (blocks === undefined) return undefined;
  const calls = (listAt(entry, "tool_calls") ?? []).map(decodeToolCall);
  const old = objectAt(entry, "function_call");
  return {
    role: "assistant",
    blocks: [...decodeReasoning(entry), ...blocks, ...calls, ...(old === undefined ? [] : [decodeFunctionCall(old)])],
    ...carried(entry, ASSISTANT_FIELDS),
  };
}

/** Not OpenAI's own, but most servers that speak its format give their reasoning under one of these two names. */
function decodeReasoning(entry: JsonObject): Block[] {
  const text = textAt(entry, "reasoning_content") ?? textAt(entry, "reasoning") ?? "";
  return text === "" ? [] : [{ type: "thinking", text }];
}

function decodeToolCall(value: JsonValue): ToolCallBlock | OpaqueBlock {
  if (!isJsonObject(value)) return opaque(value);
  const id = textAt(value, "id");
  const custom = objectAt(value, "custom");
  const call = custom ?? objectAt(value, "function");
  const name = textAt(call, "name");
  if (id === undefined || name === undefined) return opaque(value);
  const input = custom === undefined ? decodeArguments(textAt(call, "arguments")) : (textAt(custom, "input") ?? "");
  return { type: "tool-call", id, name, input, ...carried(value, ["id", "type", "index", "function", "custom"]) };
}

function decodeFunctionCall(value: JsonObject): ToolCallBlock | OpaqueBlock {
  const name = textAt(value, "name");
  if (name === undefined) return opaque(value);
  const input = decodeArguments(textAt(value, "arguments"));
  return { type: "tool-call", id: name, name, input, native: { wire: WIRE, value } };
}

/** Arguments that are not JSON stay the text that the model wrote. */
function decodeArguments(text: string | undefined): JsonValue {
  if (text === undefined || text.trim() === "") return {};
  try {
    const input: JsonValue = JSON.parse(text);
    return input;
  } catch {
    return text;
  }
}

function decodeToolMessage(entry: JsonObject, callId: string | undefined): Message | undefined {
  const content = decodeContent(entry.content ?? "");
  if (callId === undefined || content === undefined) return undefined;
  const name = textAt(entry, "name");
  return {
    role: "user",
    blocks: [{ type: "tool-result", callId, ...(name !== undefined && { name }), content, isError: false }],
    ...carried(entry, ["role", "content", "tool_call_id", "name"]),
  };
}

/** A text or a list of parts. An empty text is no block. */
function decodeContent(content: JsonValue | undefined): ResultBlock[] | undefined {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return isJsonList(content) ? content.map(decodePart) : undefined;
}

function decodePart(value: JsonValue): ResultBlock {
  if (!isJsonObject(value)) return opaque(value);
  const text = textAt(value, "text");
  if (value.type === "text" && text !== undefined) return { type: "text", text, ...carried(value, ["type", "text"]) };
  if (value.type === "image_url") return decodeImage(value) ?? opaque(value);
  if (value.type === "file") return decodeFile(value) ?? opaque(value);
  return opaque(value);
}

function decodeImage(value: JsonObject): ImageBlock | undefined {
  const image = objectAt(value, "image_url");
  const url = textAt(image, "url");
  if (url === undefined) return undefined;
  const detail = image?.detail;
  return {
    type: "image",
    source: decodeUrl(url),
    ...((detail === "low" || detail === "high" || detail === "auto" || detail === "original") && { detail }),
    ...carried(value, ["type", "image_url"]),
  };
}

function decodeFile(value: JsonObject): DocumentBlock | undefined {
  const file = objectAt(value, "file");
  const id = textAt(file, "file_id");
  const data = textAt(file, "file_data");
  const title = textAt(file, "filename");
  const rest = { ...(title !== undefined && { title }), ...carried(value, ["type", "file"]) };
  if (data !== undefined) return { type: "document", source: decodeUrl(data), ...rest };
  return id === undefined ? undefined : { type: "document", source: { kind: "file", id }, ...rest };
}

const BASE64_MARK = ";base64";

/** An address, or the bytes themselves where it is a `data:` address. */
function decodeUrl(url: string): MediaSource {
  const comma = url.indexOf(",");
  const head = url.slice(0, comma);
  if (!head.startsWith("data:") || !head.endsWith(BASE64_MARK)) return { kind: "url", url };
  const mediaType = head.slice("data:".length, -BASE64_MARK.length);
  return { kind: "base64", mediaType, data: url.slice(comma + 1) };
}

function decodeTool(value: JsonObject): Tool {
  const definition = objectAt(value, "function") ?? objectAt(value, "custom") ?? value;
  const description = textAt(definition, "description");
  const inputSchema = objectAt(definition, "parameters");
  return {
    name: textAt(definition, "name") ?? "",
    kind: value.type === "custom" ? "custom" : "function",
    ...(description !== undefined && { description }),
    ...(inputSchema !== undefined && { inputSchema }),
    native: { wire: WIRE, value },
  };
}

/** What rides along: the fields without a name, and the value as it was. */
function carried(value: JsonObject, known: readonly string[]) {
  return { ...extraFields(value, new Set(known)), native: { wire: WIRE, value } };
}

function opaque(value: JsonValue): OpaqueBlock {
  const kind = isJsonObject(value) ? textAt(value, "type") : undefined;
  return { type: "opaque", kind: kind ?? "unknown", native: { wire: WIRE, value } };
}
