import { type Call, ensure, jsonReply, type Reply } from "../core/api.ts";
import { totalOf } from "../core/automatic-caching.ts";
import { writeAnswer } from "../core/compose.ts";
import { isGiven, type JsonObject, objectIn, textIn, textsIn } from "../core/json.ts";
import { recordBill } from "../core/money.ts";
import type { Prompt, PromptTurn } from "../core/prompt.ts";
import { idFrom } from "../core/text.ts";
import type { World } from "../core/world.ts";
import { billedOf, billPrompt, detailsOf, piecesOf, usageAtStart, usageOf } from "./caching.ts";
import { checkMessages } from "./check-messages.ts";
import { checkRequest, maxTokensOf } from "./check-request.ts";
import { eventsOf, type FinishedContent, finishReason, partsOf, responseOf } from "./reply.ts";
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
import { checkSignatures } from "./signatures.ts";

export function answerContent(request: GeminiRequest, call: Call, world: World): Reply {
  check(request, world);
  const finished = finish(request, call, world);
  const { delivery } = request;
  if (delivery === "whole") return jsonReply(responseOf(finished));
  return { kind: "stream", headers: {}, framing: delivery, events: eventsOf(finished, world.settings.deltaChars) };
}

export function countTokens(request: GeminiRequest, world: World): Reply {
  check(request, world);
  const pieces = piecesOf(request.body, world);
  const total = totalOf(pieces);
  return jsonReply({ totalTokens: total, promptTokensDetails: detailsOf({ total, pieces }) });
}

function check(request: GeminiRequest, world: World): void {
  checkRequest(request);
  checkMessages(request);
  checkSignatures(request, world);
}

function finish(request: GeminiRequest, call: Call, world: World): FinishedContent {
  const { model } = request;
  const pieces = piecesOf(request.body, world);
  const limit = model.maxInput ?? model.window;
  const tokens = totalOf(pieces);
  ensure(tokens <= limit, `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${limit}).`);
  const bill = billPrompt(pieces, request, world);
  const maxTokens = maxTokensOf(request);
  // The reply's limit does not depend on the length of the prompt.
  const output = writeAnswer(promptOf(request), { seed: call.seed, maxTokens, roomTokens: maxTokens }, world);
  recordBill(call.record, model, [billedOf(bill, output.tokens)]);
  call.record.thinkingTokens = output.thinking?.tokens ?? 0;
  return {
    id: idFrom("", call.seed),
    model: model.id,
    ...(request.api === "vertex-gemini" && { createTime: new Date(world.now()).toISOString() }),
    parts: partsOf(output, request, { world, seed: call.seed }),
    finishReason: finishReason(output),
    usage: usageOf(bill, output, request),
    usageAtStart: usageAtStart(bill),
  };
}

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

/** Used for calls without an id, which cannot encode their step. */
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

/** Returns the result's text under its usual names, else the whole result as JSON. */
function responseTexts(response: JsonObject): readonly string[] {
  const text = textIn(response.output) || textIn(response.result) || textIn(response.error);
  return [text || JSON.stringify(response)];
}
