import { isJsonObject, type JsonObject, type JsonValue } from "@longhaul/conversation";
import type { RecordedRequest } from "@longhaul/simulator";
import { listOf, unmarked } from "./script.ts";

const LIST_FIELDS: Readonly<Record<string, string>> = {
  anthropic: "messages",
  "openai-chat": "messages",
  "openai-responses": "input",
  gemini: "contents",
};

/** Returns the messages of a request as the upstream received them. */
export function itemsIn({ api, body }: Pick<RecordedRequest, "api" | "body">): JsonObject[] {
  return listOf(body, LIST_FIELDS[api ?? ""] ?? "messages");
}

/** Serializes messages without cache marks, which move with every request and are not cached. */
export function serialize(items: readonly JsonObject[]): string {
  return items.map((item) => JSON.stringify(unmarked(item))).join("\n");
}

/** Returns how many bytes of a text are not a prefix of the next one. */
export function changedAfterPrefix(text: string, next: string): number {
  if (next.startsWith(text)) return 0;
  let same = 0;
  while (same < text.length && text.charCodeAt(same) === next.charCodeAt(same)) same += 1;
  return Buffer.byteLength(text.slice(same));
}

/** Counts tool calls without a result and results without a call. In formats without ids, names are counted. */
export function orphansIn(items: readonly JsonObject[]): number {
  const open = new Map<string, number>();
  for (const { id, step } of items.flatMap(usesIn)) open.set(id, (open.get(id) ?? 0) + step);
  return [...open.values()].reduce((total, count) => total + Math.abs(count), 0);
}

interface Use {
  readonly id: string;
  /** 1 for a call, -1 for a result. */
  readonly step: 1 | -1;
}

/** Returns the calls and results in an item of any format. */
function usesIn(item: JsonObject): Use[] {
  const chatCalls = listOf(item, "tool_calls").map(({ id }) => use(id, 1));
  const blocks = [item, ...listOf(item, "content")].flatMap(({ type, id, tool_use_id, call_id }) => {
    if (type === "tool_use") return [use(id, 1)];
    if (type === "tool_result") return [use(tool_use_id, -1)];
    if (type === "function_call") return [use(call_id, 1)];
    return type === "function_call_output" ? [use(call_id, -1)] : [];
  });
  const parts = listOf(item, "parts").flatMap(({ functionCall, functionResponse }) => [
    ...(isJsonObject(functionCall) ? [use(functionCall.id ?? functionCall.name, 1)] : []),
    ...(isJsonObject(functionResponse) ? [use(functionResponse.id ?? functionResponse.name, -1)] : []),
  ]);
  const chatResult = item.role === "tool" ? [use(item.tool_call_id, -1)] : [];
  return [...chatCalls, ...blocks, ...parts, ...chatResult];
}

function use(id: JsonValue | undefined, step: Use["step"]): Use {
  return { id: String(id), step };
}
