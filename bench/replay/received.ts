import { isJsonObject, type JsonObject, type JsonValue } from "@longhaul/conversation";
import type { RecordedRequest } from "@longhaul/simulator";
import { unmarked } from "./cache-marks.ts";
import { listOf } from "./script.ts";

const LIST_FIELDS: Readonly<Record<string, string>> = {
  anthropic: "messages",
  "openai-chat": "messages",
  "openai-responses": "input",
  gemini: "contents",
};

/** What an upstream was told in a request's messages. */
export function itemsIn({ api, body }: Pick<RecordedRequest, "api" | "body">): JsonObject[] {
  return listOf(body, LIST_FIELDS[api ?? ""] ?? "messages");
}

/** Messages as text. Marks move on with every request and are no part of what is cached. */
export function spell(items: readonly JsonObject[]): string {
  return items.map((item) => JSON.stringify(unmarked(item))).join("\n");
}

/** How much of a text is not the beginning of the next one, in bytes. */
export function changedAfterPrefix(text: string, next: string): number {
  if (next.startsWith(text)) return 0;
  let same = 0;
  while (same < text.length && text.charCodeAt(same) === next.charCodeAt(same)) same += 1;
  return Buffer.byteLength(text.slice(same));
}

/** How many tool calls have no result and results no call. Where a format has no ids, names are counted. */
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

/** The calls and results in an entry of any format. */
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
