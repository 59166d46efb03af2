import { isJsonObject, type JsonObject, type Usage, usageFromInclusive } from "@longhaul/conversation/advanced";
import { numberAt, objectAt, textAt, timeAt, tokensAt } from "../../reading/fields.ts";

export type CodexLine =
  | { readonly kind: "session"; readonly instructions: string | undefined }
  | { readonly kind: "turn"; readonly model: string | undefined }
  | { readonly kind: "item"; readonly item: JsonObject; readonly timestampMs: number | undefined }
  | { readonly kind: "compacted"; readonly compacted: JsonObject }
  | { readonly kind: "usage"; readonly usage: Usage; readonly totalTokens: number }
  | { readonly kind: "rolled-back"; readonly turns: number }
  | { readonly kind: "other" };

/** Reads a line. Since mid-2025 every line is an envelope with a type and a payload; before, lines were bare items. */
export function readLine(value: JsonObject): CodexLine {
  const payload = objectAt(value, "payload");
  if (payload === undefined) return readBareLine(value);
  switch (value.type) {
    case "session_meta":
      return { kind: "session", instructions: instructionsOf(payload) };
    case "turn_context":
      return { kind: "turn", model: textAt(payload, "model") };
    case "response_item":
      return { kind: "item", item: payload, timestampMs: timeAt(value, "timestamp") };
    case "compacted":
      return { kind: "compacted", compacted: payload };
    case "event_msg":
      return readEvent(payload);
    default:
      return { kind: "other" };
  }
}

export function isOwnLine(value: JsonObject): boolean {
  const payload = objectAt(value, "payload");
  if (payload !== undefined) return ENVELOPES.has(value.type);
  return isBareItem(value) && value.uuid === undefined;
}

const ENVELOPES: ReadonlySet<unknown> = new Set(["session_meta", "turn_context", "response_item", "compacted"]);
const BARE_ITEMS: ReadonlySet<unknown> = new Set([
  "message",
  "reasoning",
  "function_call",
  "function_call_output",
  "custom_tool_call",
  "custom_tool_call_output",
  "local_shell_call",
]);

function readBareLine(value: JsonObject): CodexLine {
  if (isBareItem(value)) return { kind: "item", item: value, timestampMs: timeAt(value, "timestamp") };
  const isSession = textAt(value, "id") !== undefined && "timestamp" in value && value.type === undefined;
  return isSession ? { kind: "session", instructions: instructionsOf(value) } : { kind: "other" };
}

/** pi's lines also have the type `message`, but contain the message in a field. */
function isBareItem(value: JsonObject): boolean {
  return BARE_ITEMS.has(value.type) && !isJsonObject(value.message);
}

function instructionsOf(session: JsonObject): string | undefined {
  return textAt(objectAt(session, "base_instructions"), "text") ?? textAt(session, "instructions");
}

function readEvent(payload: JsonObject): CodexLine {
  if (payload.type === "thread_rolled_back") return { kind: "rolled-back", turns: numberAt(payload, "num_turns") ?? 0 };
  const report = payload.type === "token_count" ? objectAt(payload, "info") : undefined;
  const last = objectAt(report, "last_token_usage");
  if (last === undefined) return { kind: "other" };
  const totalTokens = tokensAt(objectAt(report, "total_token_usage"), "total_tokens");
  return { kind: "usage", usage: decodeUsage(last), totalTokens };
}

function decodeUsage(usage: JsonObject): Usage {
  const reasoningTokens = numberAt(usage, "reasoning_output_tokens");
  return usageFromInclusive({
    inputTokens: tokensAt(usage, "input_tokens"),
    cacheReadTokens: tokensAt(usage, "cached_input_tokens"),
    cacheWriteTokens: tokensAt(usage, "cache_write_input_tokens"),
    outputTokens: tokensAt(usage, "output_tokens"),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  });
}
