import { isGiven, type JsonObject, objectIn, textIn, textsIn } from "../core/json.ts";
import type { Prompt, PromptTurn } from "../core/prompt.ts";
import {
  callsIn,
  configIn,
  contentsIn,
  declarationsIn,
  type GeminiRequest,
  isThinking,
  partsIn,
  responsesIn,
} from "./request.ts";

/** What the simulated model is shown. */
export function promptOf(request: GeminiRequest): Prompt {
  const { api, body, model } = request;
  const { mode, allowedFunctionNames } = objectIn(objectIn(body.toolConfig).functionCallingConfig);
  const { responseMimeType, responseSchema, responseJsonSchema, stopSequences } = configIn(request);
  const schema = responseJsonSchema ?? responseSchema;
  const tools = declarationsIn(request).map(({ name, parameters, parametersJsonSchema }) => ({
    name: textIn(name),
    schema: objectIn(parametersJsonSchema ?? parameters),
  }));
  return {
    api,
    model: model.id,
    system: textsOf(objectIn(body.systemInstruction)).join("\n"),
    turns: contentsIn(body).map(turnOf),
    tools: mode === "NONE" ? [] : tools,
    ...(mode === "ANY" && { mustCall: textsIn(allowedFunctionNames)[0] ?? "any" }),
    ...(responseMimeType === "application/json" && { outputSchema: objectIn(schema) }),
    thinks: isThinking(request),
    stopSequences: textsIn(stopSequences),
  };
}

/** A call without an id has nothing that says in which step it was made. */
const NO_ID = "call";

function turnOf(content: JsonObject): PromptTurn {
  const idOf = ({ id }: JsonObject) => textIn(id) || NO_ID;
  return {
    role: content.role === "model" ? "assistant" : "user",
    texts: textsOf(content),
    calls: callsIn(content).map(idOf),
    results: responsesIn(content).map(idOf),
  };
}

function textsOf(content: JsonObject): readonly string[] {
  return partsIn(content).flatMap(({ text, thought, functionCall, functionResponse }) => {
    if (thought === true) return [];
    if (isGiven(functionCall)) return [JSON.stringify(objectIn(functionCall).args ?? {})];
    if (isGiven(functionResponse)) return responseTexts(objectIn(objectIn(functionResponse).response));
    return isGiven(text) ? [textIn(text)] : [];
  });
}

/** The result's text where it has one under the usual names, else all of it. */
function responseTexts(response: JsonObject): readonly string[] {
  const text = textIn(response.output) || textIn(response.result) || textIn(response.error);
  return [text || JSON.stringify(response)];
}
