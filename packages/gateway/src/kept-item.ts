import { type JsonObject, type JsonValue, table } from "@longhaul/conversation";

/** How ids of items begin, by their type. */
const PREFIXES: Readonly<Record<string, string>> = table({
  message: "msg",
  function_call: "fc",
  function_call_output: "fco",
  custom_tool_call: "ctc",
  custom_tool_call_output: "ctco",
  reasoning: "rs",
});

/**
 * An item of a request as OpenAI lists it later: clients may leave out its type and id, and write a message's text without a list around
 * it. What it says stays the same.
 */
export function keptItem(item: JsonObject, serial: string): JsonObject {
  const { type = "message", content, role } = item;
  const id = `${(typeof type === "string" && PREFIXES[type]) || "item"}_${serial}`;
  const listed = typeof content === "string" ? { content: [textPart(content, role)] } : {};
  return { id, type, status: "completed", ...item, ...listed };
}

function textPart(text: string, role: JsonValue | undefined): JsonObject {
  return role === "assistant" ? { type: "output_text", text, annotations: [] } : { type: "input_text", text };
}
