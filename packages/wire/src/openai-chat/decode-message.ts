import {
  type Block,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Message,
  type OpaqueBlock,
  type ResultBlock,
  sourceOfUrl,
  type ToolCallBlock,
} from "@longhaul/conversation/advanced";
import { parseInput } from "../content/tool-input.ts";
import {
  defined,
  extraOf,
  fieldOf,
  listIn,
  malformed,
  nativeText,
  nonEmptyString,
  optionalString,
  readList,
  readObject,
  readString,
} from "../fields/json.ts";
import { decodeDetailLevel, decodeMark } from "../openai/shape.ts";
import { decodeDetail, THINKING_PART } from "./reasoning-details.ts";
import { WIRE } from "./rules.ts";

/** Decodes one entry of `messages`. */
export function decodeMessage(value: JsonValue, path = "message"): Message {
  const message = readObject(value, path);
  const native = { wire: WIRE, value };
  switch (message.role) {
    case "user":
    case "system": {
      const blocks = decodeContent(message.content, path);
      return defined({ role: message.role, blocks, native, extra: extraOf(message, USER) });
    }
    case "developer": {
      const blocks = decodeContent(message.content, path);
      // Kept as an extra field, so that the role is written back as received.
      return defined({ role: "system", blocks, native, extra: extraOf(message, CONTENT) });
    }
    case "assistant": {
      const blocks = decodeAssistant(message, path);
      return defined({ role: "assistant", blocks, native, extra: extraOf(message, ASSISTANT) });
    }
    case "tool":
    case "function":
      return defined({ role: "user", blocks: [decodeResult(message, path)], native, extra: extraOf(message, RESULT) });
    default:
      throw malformed(`${path}.role`, '"system", "developer", "user", "assistant" or "tool"', message.role);
  }
}

const CONTENT: ReadonlySet<string> = new Set(["content"]);
const USER: ReadonlySet<string> = new Set(["role", "content"]);
const RESULT: ReadonlySet<string> = new Set(["role", "content", "tool_call_id", "name"]);
const ASSISTANT: ReadonlySet<string> = new Set([
  "role",
  "content",
  "refusal",
  "tool_calls",
  "function_call",
  "reasoning",
  "reasoning_content",
  "reasoning_details",
  "reasoning_text",
]);

/** Decodes the content of a message: a string, or parts. */
function decodeContent(content: JsonValue | undefined, path: string): readonly ResultBlock[] {
  if (content === undefined || content === null) return [];
  if (typeof content === "string") return [nativeText(WIRE, content)];
  if (isJsonArray(content)) return content.map((part, index) => decodePart(part, `${path}.content[${index}]`));
  throw malformed(`${path}.content`, "a string or an array of parts", content);
}

function decodePart(value: JsonValue, path: string): ResultBlock {
  const part = readObject(value, path);
  const kind = readString(part.type, `${path}.type`);
  const shared = defined({ native: { wire: WIRE, value }, cache: decodeMark(part) });
  if (kind === "text") return { type: "text", text: readString(part.text, `${path}.text`), ...shared };
  if (kind === "refusal") return { type: "text", text: readString(part.refusal, `${path}.refusal`), ...shared };
  const url = optionalString(fieldOf(part.image_url, "url"));
  if (kind === "image_url" && url !== undefined) {
    const detail = decodeDetailLevel(fieldOf(part.image_url, "detail"));
    return { type: "image", source: sourceOfUrl(url), ...shared, ...detail };
  }
  const file = kind === "file" && isJsonObject(part.file) ? decodeFile(part.file) : undefined;
  return file === undefined ? { type: "opaque", kind, ...shared } : { ...file, ...shared };
}

function decodeFile({ file_data, file_id, filename }: JsonObject): ResultBlock | undefined {
  const title = optionalString(filename);
  if (typeof file_data === "string") {
    const source = sourceOfUrl(file_data);
    return source.kind === "base64" ? defined({ type: "document", source, title }) : undefined;
  }
  if (typeof file_id !== "string") return undefined;
  return defined({ type: "document", source: { kind: "file", id: file_id }, title });
}

/** Decodes an assistant message. Also used for replies. */
export function decodeAssistant(message: JsonObject, path: string, vendor?: string): readonly Block[] {
  const refusal = nonEmptyString(message.refusal);
  return [
    ...decodeThinking(message, vendor),
    ...decodeAssistantContent(message.content, path, vendor),
    ...(refusal === undefined ? [] : [{ type: "text" as const, text: refusal }]),
    ...decodeCalls(message, path),
  ];
}

/** Decodes the assistant's content. Mistral's has thinking parts. */
function decodeAssistantContent(
  content: JsonValue | undefined,
  path: string,
  vendor: string | undefined,
): readonly Block[] {
  if (content === "") return [];
  if (content === undefined || !isJsonArray(content)) return decodeContent(content, path);
  return content.map((value, index): Block => {
    const text = thinkingOfPart(value);
    if (text === undefined) return decodePart(value, `${path}.content[${index}]`);
    return defined({ type: "thinking", text, vendor, native: { wire: WIRE, value } });
  });
}

/** Returns the text of a thinking part, or undefined for other parts. */
export function thinkingOfPart(part: JsonValue): string | undefined {
  if (fieldOf(part, "type") !== THINKING_PART) return undefined;
  const thinking = fieldOf(part, THINKING_PART) ?? "";
  if (typeof thinking === "string") return thinking;
  return listIn(thinking)
    .map((inner) => optionalString(fieldOf(inner, "text")) ?? "")
    .join("");
}

/** Returns the thinking in the plain field of a message or delta. Servers use different names, and some send it twice. */
export function plainThinking({ reasoning_content, reasoning, reasoning_text }: JsonObject): string {
  return nonEmptyString(reasoning_content) ?? nonEmptyString(reasoning) ?? nonEmptyString(reasoning_text) ?? "";
}

function decodeThinking(message: JsonObject, vendor: string | undefined): readonly Block[] {
  const details = listIn(message.reasoning_details);
  if (details.length > 0) return details.flatMap((detail) => decodeDetail(detail, vendor));
  const text = plainThinking(message);
  return text === "" ? [] : [defined({ type: "thinking", text, vendor, native: { wire: WIRE, value: text } })];
}

/** Types of calls that the client runs. Moonshot's clients also answer calls of its built-in tools. */
const CLIENT_CALLS: ReadonlySet<string> = new Set(["", "function", "custom", "builtin_function"]);

/** Whether the server ran a call itself. xAI lists such calls among the client's. */
export function isServerCall(call: JsonValue): boolean {
  return !CLIENT_CALLS.has(optionalString(fieldOf(call, "type")) ?? "");
}

function decodeCalls(message: JsonObject, path: string): readonly Block[] {
  const listed = readList(message.tool_calls ?? [], `${path}.tool_calls`).map((call, index) =>
    decodeCall(call, index, `${path}.tool_calls[${index}]`),
  );
  if (!isJsonObject(message.function_call)) return listed;
  // The deprecated `function_call` has no id, so the name serves as one.
  const name = readString(message.function_call.name, `${path}.function_call.name`);
  const input = parseInput(optionalString(message.function_call.arguments) ?? "");
  return [...listed, { type: "tool-call", id: name, name, input }];
}

function decodeCall(value: JsonValue, index: number, path: string): ToolCallBlock | OpaqueBlock {
  const call = readObject(value, path);
  if (isServerCall(call)) return { type: "opaque", kind: `${call.type}`, native: { wire: WIRE, value } };
  // Some servers omit the id, which pairs results with calls.
  const id = nonEmptyString(call.id) ?? `call_${index}`;
  const native = { wire: WIRE, value };
  if (call.type === "custom" && isJsonObject(call.custom)) {
    const name = readString(call.custom.name, `${path}.custom.name`);
    return { type: "tool-call", id, name, input: optionalString(call.custom.input) ?? "", native };
  }
  const name = readString(fieldOf(call.function, "name"), `${path}.function.name`);
  const given = fieldOf(call.function, "arguments");
  // Some servers send an object instead of a JSON string.
  const input = isJsonObject(given) ? given : parseInput(optionalString(given) ?? "");
  // Google's chat endpoint sends its thought signature here.
  const signature = nonEmptyString(fieldOf(fieldOf(call.extra_content, "google"), "thought_signature"));
  const freeText = typeof input === "string" ? false : undefined;
  return defined({ type: "tool-call", id, name, input, freeText, signature, native });
}

function decodeResult(message: JsonObject, path: string): Block {
  const name = optionalString(message.name);
  const callId = message.role === "function" ? (name ?? "") : readString(message.tool_call_id, `${path}.tool_call_id`);
  const given = message.content;
  const hasContent = nonEmptyString(given) !== undefined || listIn(given).length > 0;
  const content = hasContent ? decodeContent(given, path) : [];
  return defined({ type: "tool-result", callId, name, content, isError: false });
}
