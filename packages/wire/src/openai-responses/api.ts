import { isJsonObject, type JsonObject, type JsonValue, table } from "@longhaul/conversation/advanced";
import type { Api, ReasoningFields, Traits } from "../codec/api.ts";
import { listIn } from "../fields/json.ts";
import { encodeOpenaiRateLimit, encodePlainModel, encodePlainModels } from "../openai/api.ts";
import { OPENAI_REASONING } from "../openai/shape.ts";

export const API: Api = {
  generatePath: "/v1/responses",
  endpoints: [
    { method: "POST", path: /^(?:\/v1)?\/responses$/, action: "generate" },
    { method: "POST", path: /^(?:\/v1)?\/responses\/input_tokens$/, action: "count-tokens" },
  ],
  version: "(?:/v1)?",
  passed: {
    calls: ["POST /responses/compact"],
    stateful: [
      "GET|DELETE /responses/{id}",
      "GET /responses/{id}/input_items",
      "POST /responses/{id}/cancel",
      "POST /conversations",
      "GET|POST|DELETE /conversations/{id}",
      "GET|POST /conversations/{id}/items",
      "GET|DELETE /conversations/{id}/items/{item}",
    ],
    shared: [],
  },
  ownPaths: /^\/v1\/(?:responses|conversations)/,
  headers: {},
  hasSocket: true,
  operation: "chat",
  encodeCount: (tokens) => ({ object: "response.input_tokens", input_tokens: tokens }),
  encodeModel: encodePlainModel,
  encodeModels: encodePlainModels,
  encodeRateLimit: encodeOpenaiRateLimit,
};

export const TRAITS: Traits = {
  limitFields: [["max_output_tokens"]],
  gatewayFields: ["store", "previous_response_id", "conversation"],
  references: { continues, itemsIn, referenceIn, listedItem },
  noStoreFields: { store: false },
  compaction: "item",
  hasBetas: false,
};

export const REASONING: ReasoningFields = {
  fields: ["reasoning"],
  known: OPENAI_REASONING,
  isSigned: true,
  excludesOnly: () => false,
};

export function continues({ previous_response_id: previous = null, conversation = null }: JsonObject): boolean {
  return previous !== null || conversation !== null;
}

export function itemsIn(list: JsonValue | undefined): readonly JsonObject[] {
  if (typeof list === "string") return [{ type: "message", role: "user", content: list }];
  return listIn(list).filter(isJsonObject);
}

/** Returns the id of a reference. Clients may omit the type. */
export function referenceIn({ type = null, id, role, content }: JsonObject): string | undefined {
  const isReference = type === "item_reference" || (type === null && role === undefined && content === undefined);
  return isReference && typeof id === "string" ? id : undefined;
}

/** Id prefixes by item type. */
const PREFIXES: Readonly<Record<string, string>> = table({
  message: "msg",
  function_call: "fc",
  function_call_output: "fco",
  custom_tool_call: "ctc",
  custom_tool_call_output: "ctco",
  reasoning: "rs",
});

/**
 * Returns an item of a request as OpenAI lists it later: with a type and an id, which clients may omit, and with text content as an array
 * of parts.
 */
export function listedItem(item: JsonObject, serial: string): JsonObject {
  const { type = "message", content, role } = item;
  const id = `${(typeof type === "string" && PREFIXES[type]) || "item"}_${serial}`;
  const listed = typeof content === "string" ? { content: [textPart(content, role)] } : {};
  return { id, type, status: "completed", ...item, ...listed };
}

function textPart(text: string, role: JsonValue | undefined): JsonObject {
  return role === "assistant" ? { type: "output_text", text, annotations: [] } : { type: "input_text", text };
}
