import { isGiven, type JsonObject, textsIn as listOfTexts, objectIn, objectsIn, textIn } from "../core/json.ts";
import type { ApiId, Prompt, PromptTurn } from "../core/prompt.ts";
import { type ChatRequest, callsIn, spellCall, textsIn } from "./request.ts";

/** What the simulated model is shown. */
export function promptOf({ body, model }: ChatRequest, api: ApiId): Prompt {
  const messages = objectsIn(body.messages);
  const isSystem = ({ role }: JsonObject) => role === "system" || role === "developer";
  const leading = messages.findIndex((message) => !isSystem(message));
  const { type, json_schema } = objectIn(body.response_format);
  const choice = chosenTool(body.tool_choice);
  return {
    api,
    model: model.id,
    system: messages
      .slice(0, Math.max(0, leading))
      .flatMap(({ content }) => textsIn(content))
      .join("\n"),
    turns: messages.slice(Math.max(0, leading)).map(turnOf),
    tools: objectsIn(body.tools).map((tool) => {
      const { name, parameters } = objectIn(tool.function ?? tool.custom);
      return { name: textIn(name), schema: objectIn(parameters) };
    }),
    ...(choice !== undefined && { mustCall: choice }),
    ...(type === "json_schema" && { outputSchema: objectIn(objectIn(json_schema).schema) }),
    ...(type === "json_object" && { outputSchema: {} }),
    thinks: model.reasoning.kind !== "none" && (body.reasoning_effort ?? "on") !== "none",
    stopSequences: typeof body.stop === "string" ? [body.stop] : listOfTexts(body.stop),
  };
}

function chosenTool(choice: unknown): string | undefined {
  if (choice === "required") return "any";
  const { function: made, custom } = objectIn(choice);
  return isGiven(made ?? custom) ? textIn(objectIn(made ?? custom).name) : undefined;
}

function turnOf(message: JsonObject): PromptTurn {
  const { role, content, tool_call_id } = message;
  const calls = callsIn(message);
  const isResult = role === "tool";
  return {
    role: role === "assistant" ? "assistant" : role === "system" || role === "developer" ? "system" : "user",
    texts: [...textsIn(content), ...calls.map(spellCall)],
    calls: calls.map(({ id }) => textIn(id)),
    results: isResult ? [textIn(tool_call_id)] : [],
  };
}
