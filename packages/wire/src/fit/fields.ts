import { type JsonValue, type Request, table, type WireId } from "@longhaul/conversation";
import { fieldOf } from "../read.ts";
import type { Fitting } from "../rules.ts";
import { unsupported } from "./blocks.ts";

/** Fields of a client's request without which another upstream would answer something else than was asked: refused, not dropped. */
const REFUSED_FIELDS: Readonly<Record<WireId, readonly string[]>> = table({
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
    if (asksForSomething(value)) throw unsupported(`field.${path}`, `${message}; leave it out`);
  }
  for (const [field, value] of Object.entries(extra)) {
    if (asksForSomething(value)) warn({ feature: `field.${field}`, action: "dropped", message });
  }
  return rest;
}

/** Null, false, nothing and one (choice) are what a request asks for that leaves the field out. */
function asksForSomething(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false || value === 1) return false;
  return !(Array.isArray(value) && value.length === 0);
}
