import type { Model } from "@longhaul/models/catalog";
import { type Api, type Call, ensure, jsonReply, Rejection, type Reply, type StreamEvent } from "../core/api.ts";
import { isGiven, type JsonObject, objectIn, objectsIn } from "../core/json.ts";
import { piecesOf as cut } from "../core/text.ts";
import { knownModel, type World } from "../core/world.ts";
import { type OpenaiRequest, openaiDialect, readRequest } from "../openai/api.ts";
import { checkWindow, finish, streamOf } from "../openai-chat/api.ts";
import { checkMessages } from "../openai-chat/check-request.ts";
import { completionOf, type FinishedChat } from "../openai-chat/reply.ts";
import { callsIn, piecesOf } from "../openai-chat/request.ts";

/** Chat completions of vendors that imitate OpenAI and show their reasoning: DeepSeek and Moonshot. */
export const compatibleApi: Api = {
  id: "openai-compatible",
  dialect: openaiDialect,
  routes: [
    {
      method: "POST",
      pattern: /^\/compatible\/v1\/chat\/completions$/,
      answer: (call, world) => answerChat(readRequest(call, world, requireModel), call, world),
    },
  ],
};

const VENDORS = ["deepseek", "moonshotai"];

function requireModel(name: unknown, { catalog }: World): Model {
  const id = String(name ?? "");
  const [model] = VENDORS.flatMap((platform) => knownModel(catalog, id, { platform, vendors: [platform] }) ?? []);
  if (model === undefined) throw new Rejection(400, "Model Not Exist");
  return model;
}

/** Answers like OpenAI, with `reasoning_content`, which tool calls must send back. */
export function answerChat(request: OpenaiRequest, call: Call, world: World): Reply {
  const { body, model } = request;
  checkMessages(request);
  checkReasoningContent(body, model);
  const pieces = piecesOf(body, world);
  checkWindow(request, pieces);
  const finished = finish(request, pieces, { call, world });
  if (body.stream !== true) return jsonReply(withReasoning(finished));
  const events = streamOf(finished, request, world);
  const thoughts = reasoningDeltas(finished, world.settings.deltaChars);
  return { kind: "stream", headers: {}, framing: "sse", events: events.toSpliced(1, 0, ...thoughts) };
}

function withReasoning(finished: FinishedChat): JsonObject {
  const completion = completionOf(finished);
  const [choice] = Array.isArray(completion.choices) ? completion.choices : [];
  const message = { ...objectIn(choice?.message), reasoning_content: finished.output.thinking?.text ?? null };
  return { ...completion, choices: [{ ...objectIn(choice), message }] };
}

function reasoningDeltas({ id, model, created, output }: FinishedChat, deltaChars: number): readonly StreamEvent[] {
  const head = { id, object: "chat.completion.chunk", created, model };
  return cut(output.thinking?.text ?? "", deltaChars).map((reasoning_content) => {
    const choice = { index: 0, delta: { content: null, reasoning_content }, logprobs: null, finish_reason: null };
    return { data: JSON.stringify({ ...head, choices: [choice] }) };
  });
}

/** Models that can think do so unless OpenAI's or the vendor's parameter turns it off. */
export function isThinking({ reasoning_effort, thinking }: JsonObject, { reasoning }: Model): boolean {
  return reasoning.kind !== "none" && reasoning_effort !== "none" && objectIn(thinking).type !== "disabled";
}

/** Rejects tool calls sent back without their reasoning; it may be empty. */
export function checkReasoningContent(body: JsonObject, model: Model): void {
  if (!isThinking(body, model)) return;
  const messageAt = model.vendor === "deepseek" ? deepSeekMessage : moonshotMessage;
  for (const [at, message] of objectsIn(body.messages).entries()) {
    const isWhole = callsIn(message).length === 0 || isGiven(message.reasoning_content);
    ensure(isWhole, () => messageAt(at));
  }
}

export function moonshotMessage(at: number): string {
  return `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${at}`;
}

function deepSeekMessage(at: number): string {
  return `Missing \`reasoning_content\` field in the assistant message at message index ${at}. For more information, please refer to https://api-docs.deepseek.com/guides/thinking_mode#tool-calls`;
}
