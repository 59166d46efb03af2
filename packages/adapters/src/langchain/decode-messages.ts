import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import {
  type Block,
  type Conversation,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MediaSource,
  type Message,
  type ResultBlock,
  sourceOfUrl,
  textBlock,
} from "@longhaul/conversation/advanced";
import { decodeEach, toJson } from "../translate.ts";

/** Decodes one message per message; its blocks are the parts of its content, then its tool calls. */
export function decodeMessages(messages: readonly BaseMessage[]): Conversation {
  const start = leadingInstructions(messages);
  const system = messages.slice(0, start).flatMap((message) => contentParts(message).map(decodeContent));
  const decoded = decodeEach(messages.slice(start), { decode: decodeMessage, remedy: REMEDY, from: start });
  return { system, tools: [], messages: decoded };
}

const REMEDY = `a LangChain message; use condenseMessages from "@longhaul/adapters" for plain objects`;

/** Returns how many messages at the start are instructions. */
export function leadingInstructions(messages: readonly BaseMessage[]): number {
  const start = messages.findIndex(({ type }) => type !== "system");
  return start === -1 ? messages.length : start;
}

function decodeMessage(message: BaseMessage): Message {
  const blocks = contentParts(message).map(decodeContent);
  if (ToolMessage.isInstance(message)) return { role: "user", blocks: [decodeResult(message, blocks)] };
  if (AIMessage.isInstance(message)) return { role: "assistant", blocks: [...blocks, ...decodeCalls(message)] };
  return { role: message.type === "system" ? "system" : "user", blocks };
}

function decodeCalls({ tool_calls: calls = [] }: AIMessage): Block[] {
  return calls.map(({ id = "", name, args }) => ({ type: "tool-call", id, name, input: toJson(args) }));
}

function decodeResult({ tool_call_id: callId, name, status }: ToolMessage, blocks: readonly Block[]): Block {
  return {
    type: "tool-result",
    callId,
    ...(name !== undefined && { name }),
    content: blocks.map(resultBlock),
    isError: status === "error",
  };
}

function resultBlock(block: Block): ResultBlock {
  const isResult =
    block.type === "text" || block.type === "image" || block.type === "document" || block.type === "opaque";
  return isResult ? block : textBlock(block.type === "thinking" ? block.text : "");
}

/** Types of tool calls inside the content. The message has the same calls in `tool_calls`, which are used instead. */
const CALLS = new Set(["tool_use", "tool_call", "function_call", "functionCall", "input_json_delta"]);

/** Returns the parts of a message's content without its tool calls. A plain text is one part, an empty one none. */
export function contentParts({ content }: Pick<BaseMessage, "content">): unknown[] {
  if (typeof content === "string") return content === "" ? [] : [content];
  return content.filter((part) => !CALLS.has(part.type));
}

/** Decodes one part of a message's content. Unknown parts are kept or dropped whole. */
export function decodeContent(part: unknown): Block {
  if (typeof part === "string") return textBlock(part);
  const json = toJson(part);
  const value: JsonObject = isJsonObject(json) ? json : { type: "unknown", value: json };
  const { type, text } = value;
  if (type === "text" && typeof text === "string") return textBlock(text);
  if (type === "thinking" || type === "reasoning") return thinkingOf(value);
  const source = type === "image" || type === "image_url" ? imageSource(value) : undefined;
  if (source !== undefined) return { type: "image", source };
  return { type: "opaque", kind: String(type), native: { wire: "langchain", value } };
}

function thinkingOf({ thinking, reasoning, signature }: JsonObject): Block {
  const text = [thinking, reasoning].find((candidate) => typeof candidate === "string") ?? "";
  return { type: "thinking", text: String(text), ...(typeof signature === "string" && { signature }) };
}

function imageSource(part: JsonObject): MediaSource | undefined {
  const { image_url: named, url, data, source } = part;
  const address = [named, fieldOf(named, "url"), url].find((one) => typeof one === "string");
  if (typeof address === "string") return sourceOfUrl(address);
  const bytes = data ?? fieldOf(source, "data");
  if (typeof bytes !== "string") return undefined;
  const mediaType = part.mimeType ?? part.mime_type ?? fieldOf(source, "media_type");
  return { kind: "base64", mediaType: typeof mediaType === "string" ? mediaType : "image/png", data: bytes };
}

function fieldOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) ? value[key] : undefined;
}
