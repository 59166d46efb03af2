import { isJsonObject, type JsonObject, type JsonValue } from "@longhaul/conversation";

const MARK = { type: "ephemeral" };

/** A body in the Messages format with cache marks as coding agents set them: after the system prompt and at the ends of this request and the last. */
export function markBody(body: JsonObject, ends: readonly number[]): JsonObject {
  const { system, messages } = body;
  return {
    ...body,
    ...(Array.isArray(system) && {
      system: system.map((block, at) => (at === system.length - 1 ? marked(block) : block)),
    }),
    ...(Array.isArray(messages) && {
      messages: messages.map((message, at) => (ends.includes(at + 1) ? markedMessage(message) : message)),
    }),
  };
}

/** The same message with its content as blocks, which is how it looks with a mark. */
export function spelledOut(message: JsonObject): JsonObject {
  const { content } = message;
  return typeof content === "string" ? { ...message, content: [{ type: "text", text: content }] } : message;
}

function markedMessage(message: JsonValue): JsonValue {
  if (!isJsonObject(message) || !Array.isArray(message.content)) return message;
  const { content } = message;
  return { ...message, content: content.map((block, at) => (at === content.length - 1 ? marked(block) : block)) };
}

function marked(block: JsonValue): JsonValue {
  return isJsonObject(block) ? { ...block, cache_control: MARK } : block;
}

/** The same value without any cache marks. */
export function unmarked(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(unmarked);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => name !== "cache_control");
  return Object.fromEntries(kept.map(([name, inner]) => [name, name === "content" ? unmarked(inner) : inner]));
}
