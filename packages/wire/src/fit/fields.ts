import { isJsonObject, type JsonObject, type JsonValue, type Request, table } from "@longhaul/conversation";
import type { Fitting } from "../codec/rules.ts";
import { fieldOf } from "../fields/read.ts";
import { unsupported } from "./blocks.ts";

/** Fields of a client's request without which another upstream would answer something else than was asked: refused, not dropped. */
const REFUSED_FIELDS: Readonly<Record<string, readonly string[]>> = table({
  "anthropic-messages": ["compaction", "container", "mcp_servers", "thread"],
  "openai-chat": ["audio", "function_call", "functions", "n", "prediction"],
  "openai-responses": ["background", "conversation", "previous_response_id", "prompt"],
  gemini: ["cachedContent", "generationConfig.candidateCount"],
});

/** Leaves out, or refuses, the fields of a request that only the client's own format has. */
export function dropForeignFields(request: Request, { rules, isNative, warn }: Fitting): Request {
  const { extra, ...rest } = request;
  if (isNative || extra === undefined) return request;
  const from = request.native?.wire ?? "";
  const message = `a field of ${from} that ${rules.wire} has no words for`;
  for (const path of REFUSED_FIELDS[from] ?? []) {
    const value = path.split(".").reduce<JsonValue | undefined>(fieldOf, extra);
    if (asksForSomething(path, value)) throw unsupported(`field.${path}`, `${message}; leave it out`, path);
  }
  for (const [path, value] of fieldsOf(extra)) {
    if (asksForSomething(path, value)) warn({ feature: `field.${path}`, action: "dropped", message });
  }
  return rest;
}

/** Objects that only group settings: each setting inside counts as a field of its own. */
const OPENED: ReadonlySet<string> = new Set([
  "generationConfig",
  "toolConfig",
  "reasoning",
  "text",
  "thinking",
  "output_config",
]);

function fieldsOf(extra: JsonObject): readonly (readonly [path: string, value: JsonValue])[] {
  return Object.entries(extra).flatMap(([field, value]) => {
    if (!OPENED.has(field) || !isJsonObject(value)) return [[field, value] as const];
    return Object.entries(value).map(([inner, held]) => [`${field}.${inner}`, held] as const);
  });
}

/** Fields with the number of answers; every format gives one. */
const COUNTS: ReadonlySet<string> = new Set(["n", "generationConfig.candidateCount"]);

/** Whether a field changes anything compared with leaving it out. Null, false and empty values don't. */
function asksForSomething(path: string, value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false || value === "") return false;
  if (COUNTS.has(path)) return value !== 1;
  return typeof value !== "object" || Object.keys(value).length > 0;
}
