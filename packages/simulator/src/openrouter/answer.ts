import type { Model } from "@longhaul/models/catalog";
import { moonshotMessage } from "../compatible/api.ts";
import { type Call, ensure, jsonReply, Rejection, type Reply, type StreamEvent } from "../core/api.ts";
import { totalOf } from "../core/automatic-caching.ts";
import type { Output } from "../core/compose.ts";
import { isGiven, type JsonObject, numberIn, objectIn, objectsIn, omit, textIn } from "../core/json.ts";
import { piecesOf as cut, digest, idFrom } from "../core/text.ts";
import type { World } from "../core/world.ts";
import type { OpenaiRequest } from "../openai/api.ts";
import { finish } from "../openai-chat/api.ts";
import { checkMessages } from "../openai-chat/check-request.ts";
import { callIdOf, completionOf, eventsOf, type FinishedChat, finishReason } from "../openai-chat/reply.ts";
import { type ChatPieces, callsIn, piecesOf, promptOf } from "../openai-chat/request.ts";

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

export function checkReasoning({ reasoning, reasoning_effort }: JsonObject): void {
  const { effort, max_tokens } = objectIn(reasoning);
  ensure(
    !isGiven(effort) || !isGiven(max_tokens),
    'Only one of "reasoning.effort" and "reasoning.max_tokens" can be specified',
  );
  ensure(
    !isGiven(reasoning) || !isGiven(reasoning_effort),
    'Only one of "reasoning" and "reasoning_effort" can be specified',
  );
}

export function isReasoning({ reasoning, reasoning_effort }: JsonObject, isByDefault: boolean): boolean {
  const { effort, enabled, max_tokens } = objectIn(reasoning);
  const requested = effort ?? reasoning_effort;
  if (isGiven(requested)) return requested !== "none";
  if (typeof enabled === "boolean") return enabled;
  return isGiven(max_tokens) || isByDefault;
}

const FORMATS: Readonly<Record<string, string>> = {
  anthropic: "anthropic-claude-v1",
  google: "google-gemini-v1",
  openai: "openai-responses-v1",
};

/**
 * Returns reasoning in the format of the model's vendor. All of it must be sent back unchanged and in order. `callId` is the client's id of
 * the first call that it led to.
 */
export function reasoningDetails(
  { text, isRedacted }: NonNullable<Output["thinking"]>,
  { model, callId, world }: { model: Model; callId: string | undefined; world: World },
): readonly JsonObject[] {
  const format = FORMATS[model.vendor] ?? "unknown";
  const shared = { format, index: 0 };
  const seal = (details: readonly JsonObject[]) => world.seals.seal("reasoning-details", { text: digestOf(details) });
  const encrypted = { type: "reasoning.encrypted", ...shared };
  if (isRedacted) return [{ ...encrypted, data: seal([encrypted]) }];
  const readable = { type: "reasoning.text", text, ...shared };
  switch (model.vendor) {
    case "anthropic":
      return [{ ...readable, signature: seal([readable]) }];
    case "google": {
      if (callId === undefined) return [readable];
      const proof = { ...encrypted, id: callId };
      return [readable, { ...proof, data: seal([readable, proof]) }];
    }
    case "openai": {
      const summary = { type: "reasoning.summary", summary: text, ...shared };
      const item = { ...encrypted, id: idFrom("rs_", text) };
      return [summary, { ...item, data: seal([summary, item]) }];
    }
    default:
      return [readable];
  }
}

/** Hashes details without their signatures, for any order of fields. */
function digestOf(details: readonly JsonObject[]): string {
  const bare = details.map((detail) => Object.entries(omit(detail, "signature", "data")).toSorted());
  return digest(JSON.stringify(bare));
}

/** Google accepts this in place of a signature, for calls that another model made. */
const PLACEHOLDER_SIGNATURE = "skip_thought_signature_validator";

/** Rejects reasoning that was not made here or was changed, and calls without reasoning if the model requires it. */
export function checkDetails(body: JsonObject, model: Model, { seals }: World): void {
  for (const [at, message] of objectsIn(body.messages).entries()) {
    const details = objectsIn(message.reasoning_details);
    const sealed = details.map(({ signature, data }) => textIn(signature) || textIn(data)).find((text) => text !== "");
    const isOwn = sealed === undefined || seals.open("reasoning-details", sealed)?.text === digestOf(details);
    const isPlaceholder =
      sealed === PLACEHOLDER_SIGNATURE && model.vendor === "google" && details[0]?.id === callsIn(message)[0]?.id;
    if (!isOwn && !isPlaceholder)
      throw refusal(`messages.${at}.content.0: Invalid \`signature\` in \`thinking\` block`);
    if (callsIn(message).length > 0) checkRequired(body, { message, at, model, isSealed: sealed !== undefined });
  }
}

function checkRequired(
  body: JsonObject,
  { message, at, model, isSealed }: { message: JsonObject; at: number; model: Model; isSealed: boolean },
): void {
  const { vendor, reasoning } = model;
  if (vendor === "google" && reasoning.kind === "level" && !isSealed)
    throw refusal(
      "Gemini models require OpenRouter reasoning details to be preserved in each request. Function call is missing a thought_signature in functionCall parts.",
    );
  const hasText = objectsIn(message.reasoning_details).some(({ text }) => textIn(text) !== "");
  if (vendor === "moonshotai" && isReasoning(body, reasoning.onByDefault) && !hasText)
    throw refusal(moonshotMessage(at));
}

function refusal(message: string): Rejection {
  const error = { type: "invalid_request_error", message };
  return new Rejection(400, "Provider returned error", { type: JSON.stringify({ type: "error", error }) });
}
