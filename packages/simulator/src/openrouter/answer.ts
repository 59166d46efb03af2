import { type Call, jsonReply, Rejection, type Reply, type StreamEvent } from "../core/api.ts";
import { totalOf } from "../core/automatic-caching.ts";
import type { Output } from "../core/compose.ts";
import { type JsonObject, numberIn, objectIn, omit, textIn } from "../core/json.ts";
import { piecesOf as cut } from "../core/text.ts";
import type { World } from "../core/world.ts";
import type { OpenaiRequest } from "../openai/api.ts";
import { finish } from "../openai-chat/api.ts";
import { checkMessages } from "../openai-chat/check-messages.ts";
import { callIdOf, completionOf, eventsOf, type FinishedChat, finishReason } from "../openai-chat/reply.ts";
import { type ChatPieces, piecesOf, promptOf } from "../openai-chat/request.ts";
import { checkDetails, checkReasoning, isReasoning, reasoningDetails } from "./reasoning.ts";

/** Answers like OpenAI, with reasoning, cost, and comments in streams. */
export function answerChat(request: OpenaiRequest, call: Call, world: World): Reply {
  const { body, model } = request;
  checkReasoning(body);
  checkMessages(request, ["cache_control"]);
  checkDetails(body, model, world);
  const pieces = piecesOf(body, world);
  checkWindow(request, pieces);
  const thinks = model.reasoning.kind !== "none" && isReasoning(body, model.reasoning.onByDefault);
  const prompt = { ...promptOf(request, "openrouter"), thinks };
  const maxTokens = maxTokensOf(body) ?? model.maxOutput;
  const answer = finish(request, pieces, { call, world, prompt, maxTokens, idPrefix: "gen-" });
  const finished = { ...answer, usage: { ...answer.usage, cost: call.record.costUsd ?? 0 } };
  const details = shownDetails(finished.output, request, world);
  if (body.stream !== true) return jsonReply(addRouterFields(completionOf(finished), details, finished));
  return { kind: "stream", headers: {}, framing: "sse", events: addRouterEvents(finished, details, world) };
}

function checkWindow({ body, model }: OpenaiRequest, { tools, messages }: ChatPieces): void {
  const input = totalOf([...tools, ...messages]);
  const output = maxTokensOf(body) ?? 0;
  if (input + output <= model.window) return;
  throw new Rejection(
    400,
    `This endpoint's maximum context length is ${model.window} tokens. However, you requested about ${input + output} tokens (${input} of text input, ${output} in the output). Please reduce the length of either one, or use the "middle-out" transform to compress your prompt automatically.`,
    { code: "context_length_exceeded" },
  );
}

function maxTokensOf({ max_tokens, max_completion_tokens }: JsonObject): number | undefined {
  return numberIn(max_tokens) ?? numberIn(max_completion_tokens);
}

/** Returns the reasoning to show; `undefined` if there is none or the request excludes it. */
function shownDetails(
  { thinking, calls }: Output,
  { body, model }: OpenaiRequest,
  world: World,
): readonly JsonObject[] | undefined {
  if (thinking === undefined || objectIn(body.reasoning).exclude === true) return undefined;
  const [first] = calls;
  return reasoningDetails(thinking, { model, callId: first && callIdOf(first), world });
}

function readableText(details: readonly JsonObject[]): string | null {
  const words = details.map(({ text, summary }) => textIn(text) || textIn(summary)).join("");
  return words === "" ? null : words;
}

function addRouterFields(
  completion: JsonObject,
  details: readonly JsonObject[] | undefined,
  { output }: FinishedChat,
): JsonObject {
  const shown = details && { reasoning: readableText(details), reasoning_details: details };
  const choices = Array.isArray(completion.choices) ? completion.choices : [];
  return {
    ...completion,
    provider: "Simulator",
    choices: choices.map((choice) => ({
      ...choice,
      native_finish_reason: finishReason(output),
      message: { ...objectIn(choice.message), reasoning: null, ...shown },
    })),
  };
}

const COMMENT: StreamEvent = { comment: "OPENROUTER PROCESSING" };

/** Adds comments, reasoning before the text, and usage to a stream. */
function addRouterEvents(
  finished: FinishedChat,
  details: readonly JsonObject[] | undefined,
  { settings }: World,
): readonly StreamEvent[] {
  const events = eventsOf(finished, { deltaChars: settings.deltaChars, includesUsage: true });
  const { id, model, created } = finished;
  const head = { id, provider: "Simulator", model, object: "chat.completion.chunk", created };
  const thoughts = (details ?? [])
    .flatMap((detail) => detailDeltas(detail, settings.deltaChars))
    .map((detail) => {
      const delta = { role: "assistant", content: "", reasoning: readableText([detail]), reasoning_details: [detail] };
      const choice = { index: 0, delta, finish_reason: null, native_finish_reason: null, logprobs: null };
      return { data: JSON.stringify({ ...head, choices: [choice] }) };
    });
  return [COMMENT, COMMENT, ...events.toSpliced(1, 0, ...thoughts)];
}

/** Splits a reasoning detail into deltas: its text, then its signature. */
function detailDeltas(detail: JsonObject, deltaChars: number): readonly JsonObject[] {
  const name = "summary" in detail ? "summary" : "text";
  const bare = omit(detail, name, "signature");
  const words = cut(textIn(detail[name]), deltaChars).map((piece) => ({ ...bare, [name]: piece }));
  const ending = "signature" in detail || words.length === 0 ? [omit(detail, name)] : [];
  return [...words, ...ending];
}
