import type { Piece } from "../core/automatic-caching.ts";
import { isGiven, type JsonObject, textsIn as listOfTexts, objectIn, objectsIn, textIn } from "../core/json.ts";
import type { ApiId, Prompt, PromptTurn } from "../core/prompt.ts";
import type { World } from "../core/world.ts";
import type { OpenaiRequest } from "../openai/api.ts";

export function partsIn(content: unknown): readonly JsonObject[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return objectsIn(content);
}

export function textsIn(content: unknown): readonly string[] {
  return partsIn(content).flatMap(({ type, text, refusal }) =>
    type === "text" || isGiven(refusal) ? [textIn(text ?? refusal)] : [],
  );
}

export function callsIn({ tool_calls }: JsonObject): readonly JsonObject[] {
  return objectsIn(tool_calls);
}

/** Name and arguments of a function call, or name and input of a custom one. */
export function callText(call: JsonObject): string {
  const { name, arguments: given, input } = { ...objectIn(call.custom), ...objectIn(call.function) };
  return `${textIn(name)}${textIn(given)}${textIn(input)}`;
}

export function promptOf({ body, model }: OpenaiRequest, api: ApiId): Prompt {
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
    texts: [...textsIn(content), ...calls.map(callText)],
    calls: calls.map(({ id }) => textIn(id)),
    results: isResult ? [textIn(tool_call_id)] : [],
  };
}

const MESSAGE_TOKENS = 4;
const TOOL_TOKENS = 8;
const IMAGE_TOKENS = 765;
const FILE_TOKENS = 3_000;

/** A prompt in caching order: tools, then messages. */
export interface ChatPieces {
  readonly tools: readonly Piece[];
  readonly messages: readonly Piece[];
}

export function piecesOf(body: JsonObject, { tokenizer }: World): ChatPieces {
  const textPiece = (text: string): Piece => ({ text, tokens: tokenizer.count(text), isText: true });
  const fixed = (text: string, tokens: number): Piece => ({ text, tokens, isText: false });
  const partPiece = (part: JsonObject): Piece => {
    const isBreakpoint = isGiven(part.prompt_cache_breakpoint);
    return {
      ...(isText(part)
        ? textPiece(String(part.text ?? part.refusal))
        : fixed(JSON.stringify(part), part.type === "image_url" ? IMAGE_TOKENS : FILE_TOKENS)),
      isBreakpoint,
    };
  };
  const tools = objectsIn(body.tools).flatMap((tool) => [fixed("", TOOL_TOKENS), textPiece(JSON.stringify(tool))]);
  const messages = objectsIn(body.messages).flatMap((message) => [
    fixed(`\n${String(message.role)}:${String(message.tool_call_id ?? "")}:`, MESSAGE_TOKENS),
    ...partsIn(message.content).map(partPiece),
    ...callsIn(message).flatMap((call) => [fixed(String(call.id), TOOL_TOKENS), textPiece(callText(call))]),
  ]);
  return { tools, messages };
}

function isText({ type }: JsonObject): boolean {
  return type === "text" || type === "refusal";
}
