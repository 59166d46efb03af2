import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@longhaul/conversation";

/** What coding agents mark their system prompt and latest message with, so that the vendor caches everything up to there. */
export const CACHED = { type: "ephemeral" } as const;

/** Messages whose last one is marked. */
export function markLast(messages: readonly JsonValue[]): JsonValue[] {
  const last = messages.at(-1);
  return isJsonObject(last) ? [...messages.slice(0, -1), marked(last)] : [...messages];
}

function marked({ content = "", ...message }: JsonObject): JsonObject {
  const blocks = isJsonArray(content) ? content : [{ type: "text", text: content }];
  const last = blocks.at(-1);
  const block = isJsonObject(last) ? [{ ...last, cache_control: CACHED }] : [];
  return { ...message, content: [...blocks.slice(0, -1), ...block] };
}
