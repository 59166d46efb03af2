import { isGiven, type JsonObject, objectIn, textIn } from "../core/json.ts";
import type { Prompt, PromptTurn } from "../core/prompt.ts";
import type { World } from "../core/world.ts";
import { openSeal } from "./check-items.ts";
import { mustCall } from "./check-request.ts";
import { isCall, isResult, type ResponsesRequest, textsIn, toolsOf, typeOf } from "./request.ts";

/** What the simulated model is shown. */
export function promptOf({ body, model }: ResponsesRequest, items: readonly JsonObject[], world: World): Prompt {
  const format = objectIn(objectIn(body.text).format);
  const choice = mustCall(body);
  return {
    api: "openai-responses",
    model: model.id,
    system: textIn(body.instructions),
    turns: items.flatMap((item) => turnOf(item, world)),
    tools: toolsOf(body, items)
      .filter(({ tool }) => isGiven(tool.name))
      .map(({ tool: { name, parameters } }) => ({ name: textIn(name), schema: objectIn(parameters) })),
    ...(choice !== undefined && { mustCall: choice }),
    ...(format.type === "json_schema" && { outputSchema: objectIn(format.schema) }),
    ...(format.type === "json_object" && { outputSchema: {} }),
    thinks: model.reasoning.kind !== "none" && (objectIn(body.reasoning).effort ?? "on") !== "none",
    stopSequences: [],
  };
}

function turnOf(item: JsonObject, world: World): readonly PromptTurn[] {
  const id = textIn(item.call_id);
  const nothing = { texts: [], calls: [], results: [] };
  if (typeOf(item) === "message") return [{ ...nothing, role: roleOf(item), texts: textsIn(item.content) }];
  if (isCall(item))
    return [{ ...nothing, role: "assistant", texts: [textIn(item.arguments ?? item.input)], calls: [id] }];
  if (isResult(item)) return [{ ...nothing, role: "user", texts: textsIn(item.output), results: [id] }];
  if (item.type !== "compaction") return [];
  return [{ ...nothing, role: "assistant", texts: [textIn(openSeal(item, "compaction", world)?.summary)] }];
}

function roleOf({ role }: JsonObject): PromptTurn["role"] {
  if (role === "assistant") return "assistant";
  return role === "system" || role === "developer" ? "system" : "user";
}
