import {
  type Block,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Message,
  type ResultBlock,
  sourceOfUrl,
  type TextBlock,
  type ToolCallBlock,
} from "@longhaul/conversation";
import { given } from "../given.ts";
import { decodeDetailLevel, decodeMark } from "../openai-shape.ts";
import { extraOf, fieldOf, malformed, optionalString, readList, readObject, readString } from "../read.ts";
import { parseInput } from "../tool-input.ts";
import { decodeDetail } from "./reasoning-details.ts";
import { WIRE } from "./rules.ts";

/** Reads one entry of `messages`. */
export function decodeMessage(value: JsonValue, path = "message"): Message {
  const message = readObject(value, path);
  const native = { wire: WIRE, value };
  switch (message.role) {
    case "user":
      return given({
        role: "user",
        blocks: decodeContent(message.content, path),
        native,
        extra: extraOf(message, USER),
      });
    case "system":
    case "developer": {
      const blocks = decodeContent(message.content, path);
      // Which of the two names the client uses is kept like any field without a canonical name.
      return given({
        role: "system",
        blocks,
        native,
        extra: extraOf(message, message.role === "system" ? USER : CONTENT),
      });
    }
    case "assistant": {
      const blocks = decodeAssistant(message, path);
      return given({ role: "assistant", blocks, native, extra: extraOf(message, ASSISTANT) });
    }
    case "tool":
    case "function":
      return given({ role: "user", blocks: [decodeResult(message, path)], native, extra: extraOf(message, RESULT) });
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
]);

/** Reads what a message says: a string, or parts. */
function decodeContent(content: JsonValue | undefined, path: string): readonly Block[] {
  if (content === undefined || content === null) return [];
  if (typeof content === "string") return [textOf(content)];
  if (isJsonArray(content)) return content.map((part, index) => decodePart(part, `${path}.content[${index}]`));
  throw malformed(`${path}.content`, "a string or a list of parts", content);
}

function textOf(text: string): TextBlock {
  return { type: "text", text, native: { wire: WIRE, value: text } };
}

function decodePart(value: JsonValue, path: string): ResultBlock {
  const part = readObject(value, path);
  const kind = readString(part.type, `${path}.type`);
  const shared = given({ native: { wire: WIRE, value }, cache: decodeMark(part) });
  if (kind === "text") return { type: "text", text: readString(part.text, `${path}.text`), ...shared };
  if (kind === "refusal") return { type: "text", text: readString(part.refusal, `${path}.refusal`), ...shared };
  const url = optionalString(fieldOf(part.image_url, "url"));
  if (kind === "image_url" && url !== undefined) {
    return {
      type: "image",
      source: sourceOfUrl(url),
      ...shared,
      ...decodeDetailLevel(fieldOf(part.image_url, "detail")),
    };
  }
  const file = kind === "file" && isJsonObject(part.file) ? decodeFile(part.file) : undefined;
  return file === undefined ? { type: "opaque", kind, ...shared } : { ...file, ...shared };
}

function decodeFile({ file_data, file_id, filename }: JsonObject): ResultBlock | undefined {
  const title = optionalString(filename);
  if (typeof file_data === "string") {
    const source = sourceOfUrl(file_data);
    return source.kind === "base64" ? given({ type: "document", source, title }) : undefined;
  }
  return typeof file_id === "string"
    ? given({ type: "document", source: { kind: "file", id: file_id }, title })
    : undefined;
}

/** Reads what the assistant said; the reply of a server is read with this too. */
export function decodeAssistant(message: JsonObject, path: string, vendor?: string): readonly Block[] {
  const said = message.content === "" ? [] : decodeContent(message.content, path);
  const refusal = optionalString(message.refusal);
  return [
    ...decodeThinking(message, vendor),
    ...said,
    ...(refusal === undefined || refusal === "" ? [] : [{ type: "text" as const, text: refusal }]),
    ...decodeCalls(message, path),
  ];
}

function decodeThinking(message: JsonObject, vendor: string | undefined): readonly Block[] {
  const { reasoning_details: details } = message;
  if (details !== undefined && isJsonArray(details) && details.length > 0) {
    return details.flatMap((detail) => decodeDetail(detail, vendor));
  }
  const text = optionalString(message.reasoning_content) ?? optionalString(message.reasoning) ?? "";
  return text === "" ? [] : [given({ type: "thinking", text, vendor, native: { wire: WIRE, value: text } })];
}

function decodeCalls(message: JsonObject, path: string): readonly ToolCallBlock[] {
  const calls = message.tool_calls === undefined || message.tool_calls === null ? [] : message.tool_calls;
  const listed = readList(calls, `${path}.tool_calls`).map((call, index) =>
    decodeCall(call, index, `${path}.tool_calls[${index}]`),
  );
  if (!isJsonObject(message.function_call)) return listed;
  const { name, arguments: input } = message.function_call;
  return [...listed, namedCall(readString(name, `${path}.function_call.name`), optionalString(input) ?? "")];
}

function decodeCall(value: JsonValue, index: number, path: string): ToolCallBlock {
  const call = readObject(value, path);
  // Some servers leave the id out; results are joined to calls by it.
  const id = optionalString(call.id) ?? `call_${index}`;
  const native = { wire: WIRE, value };
  if (call.type === "custom" && isJsonObject(call.custom)) {
    const name = readString(call.custom.name, `${path}.custom.name`);
    return { type: "tool-call", id, name, input: optionalString(call.custom.input) ?? "", native };
  }
  const name = readString(fieldOf(call.function, "name"), `${path}.function.name`);
  const input = parseInput(optionalString(fieldOf(call.function, "arguments")) ?? "");
  // Google's own chat endpoint puts its thought signature here.
  const signature = optionalString(fieldOf(fieldOf(call.extra_content, "google"), "thought_signature"));
  const freeText = typeof input === "string" ? false : undefined;
  return given({ type: "tool-call", id, name, input, freeText, signature, native });
}

/** The old way to call functions has no ids: the name stands for one. */
function namedCall(name: string, input: string): ToolCallBlock {
  return { type: "tool-call", id: name, name, input: parseInput(input) };
}

function decodeResult(message: JsonObject, path: string): Block {
  const name = optionalString(message.name);
  const callId = message.role === "function" ? (name ?? "") : readString(message.tool_call_id, `${path}.tool_call_id`);
  const { content } = message;
  const parts = content !== undefined && isJsonArray(content) ? content : undefined;
  const blocks: readonly ResultBlock[] =
    parts?.map((part, index) => decodePart(part, `${path}.content[${index}]`)) ??
    (typeof content === "string" && content !== "" ? [textOf(content)] : []);
  return given({ type: "tool-result", callId, name, content: blocks, isError: false });
}
