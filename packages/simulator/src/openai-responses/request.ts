import { ensure, Rejection } from "../core/api.ts";
import { isGiven, type JsonObject, objectIn, objectsIn, textIn } from "../core/json.ts";
import type { World } from "../core/world.ts";

/** Messages may omit their type. */
export function typeOf(item: JsonObject): string {
  return textIn(item.type) || (isGiven(item.role) ? "message" : "");
}

/** Returns the input as items, with references unresolved. */
export function inputItems(input: unknown): readonly JsonObject[] {
  return typeof input === "string" ? [{ type: "message", role: "user", content: input }] : objectsIn(input);
}

/** Returns all items of a request: those of the previous response, its own, and those it refers to. */
export function resolveItems(body: JsonObject, world: World): readonly JsonObject[] {
  const { conversation } = body;
  const id = typeof conversation === "string" ? conversation : textIn(objectIn(conversation).id);
  if (isGiven(conversation)) throw new Rejection(404, `Conversation with id '${id}' not found.`);
  const own = inputItems(body.input).map((item, at) => resolveItem(item, at, world));
  return [...previousItems(body, world), ...own];
}

function previousItems({ previous_response_id }: JsonObject, { stored }: World): readonly JsonObject[] {
  if (!isGiven(previous_response_id)) return [];
  const id = textIn(previous_response_id);
  const previous = stored.get(id);
  ensure(previous !== undefined, `Previous response with id '${id}' not found.`, {
    param: "previous_response_id",
    code: "previous_response_not_found",
  });
  return previous.items;
}

function resolveItem(item: JsonObject, at: number, { storedItems }: World): JsonObject {
  const type = typeOf(item);
  const id = textIn(item.id);
  const isOpaque = type === "item_reference" || (type === "reasoning" && !isGiven(item.encrypted_content));
  if (!isOpaque) return item;
  const found = storedItems.get(id);
  if (found !== undefined) return found.item;
  throw new Rejection(
    404,
    `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
    { param: `input[${at}]` },
  );
}

export function partsIn(content: unknown): readonly JsonObject[] {
  return typeof content === "string" ? [{ type: "input_text", text: content }] : objectsIn(content);
}

export function textsIn(content: unknown): readonly string[] {
  return partsIn(content).flatMap(({ text, refusal }) => (isGiven(text ?? refusal) ? [textIn(text ?? refusal)] : []));
}

export function isCall(item: JsonObject): boolean {
  return item.type === "function_call" || item.type === "custom_tool_call";
}

export function isResult(item: JsonObject): boolean {
  return item.type === "function_call_output" || item.type === "custom_tool_call_output";
}

/** A tool of a request, with its namespace if any. */
export interface RequestTool {
  readonly tool: JsonObject;
  readonly namespace?: string;
}

/** Returns all tools of a request: from `tools` and from `additional_tools` items, with namespaces flattened. */
export function toolsOf(body: JsonObject, items: readonly JsonObject[]): readonly RequestTool[] {
  const brought = items.filter(({ type }) => type === "additional_tools").flatMap(({ tools }) => objectsIn(tools));
  return [...objectsIn(body.tools), ...brought].flatMap((tool): readonly RequestTool[] => {
    if (tool.type !== "namespace") return [{ tool }];
    return objectsIn(tool.tools).map((inner) => ({ tool: inner, namespace: textIn(tool.name) }));
  });
}
