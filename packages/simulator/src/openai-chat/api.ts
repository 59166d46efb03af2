import type { Model } from "@longhaul/models/catalog";
import { type Api, type Call, jsonReply, Rejection, type Reply } from "../core/api.ts";
import { totalOf } from "../core/automatic-caching.ts";
import { writeAnswer } from "../core/compose.ts";
import { objectIn, textIn } from "../core/json.ts";
import { recordBill } from "../core/money.ts";
import type { Prompt } from "../core/prompt.ts";
import { idFrom } from "../core/text.ts";
import type { World } from "../core/world.ts";
import { type OpenaiRequest, openaiDialect, readRequest } from "../openai/api.ts";
import { billedOf, billPrompt } from "../openai/prompt-bill.ts";
import { checkMessages, checkRequest, maxTokensOf } from "./check-request.ts";
import { completionOf, eventsOf, type FinishedChat, usageOf } from "./reply.ts";
import { type ChatPieces, piecesOf, promptOf } from "./request.ts";

export const openaiChatApi: Api = {
  id: "openai-chat",
  dialect: openaiDialect,
  routes: [
    {
      method: "POST",
      pattern: /^\/v1\/chat\/completions$/,
      answer: (call, world) => answerChat(readRequest(call, world), call, world),
    },
  ],
};

export function answerChat(request: OpenaiRequest, call: Call, world: World): Reply {
  checkRequest(request);
  checkMessages(request);
  const pieces = piecesOf(request.body, world);
  checkWindow(request, pieces);
  const finished = finish(request, pieces, { call, world });
  const headers = { "x-request-id": call.requestId, "openai-processing-ms": "1", "openai-version": "2020-10-01" };
  if (request.body.stream !== true) return jsonReply(completionOf(finished), headers);
  return { kind: "stream", headers, framing: "sse", events: streamOf(finished, request, world) };
}

export function streamOf(finished: FinishedChat, { body }: OpenaiRequest, { settings }: World) {
  const includesUsage = objectIn(body.stream_options).include_usage === true;
  return eventsOf(finished, { deltaChars: settings.deltaChars, includesUsage });
}

interface AnswerContext {
  readonly call: Call;
  readonly world: World;
  /** @default the request as OpenAI reads it */
  readonly prompt?: Prompt;
  /** @default as OpenAI reads the request, or the model's limit */
  readonly maxTokens?: number;
  /** @default OpenAI's */
  readonly idPrefix?: string;
}

/** Writes the answer and records its bill. */
export function finish(request: OpenaiRequest, { tools, messages }: ChatPieces, context: AnswerContext): FinishedChat {
  const { body, model } = request;
  const { call, world, prompt = promptOf(request, "openai-chat"), idPrefix = "chatcmpl-" } = context;
  const pieces = [...tools, ...messages];
  const bill = billPrompt(pieces, request, world);
  const maxTokens = context.maxTokens ?? maxTokensOf(body) ?? model.maxOutput;
  const limits = { seed: call.seed, maxTokens, roomTokens: model.window - totalOf(pieces) };
  const output = writeAnswer(prompt, limits, world);
  recordBill(call.record, model, [billedOf(bill, output.tokens)]);
  call.record.thinkingTokens = output.thinking?.tokens ?? 0;
  return {
    id: idFrom(idPrefix, call.seed),
    model: textIn(body.model),
    created: Math.floor(world.now() / 1_000),
    output,
    usage: usageOf(bill, output),
  };
}

const OVERFLOW = { param: "messages", code: "context_length_exceeded" };

/** Rejects a prompt that exceeds the window, alone or with its answer. */
export function checkWindow({ body, model }: OpenaiRequest, { tools, messages }: ChatPieces): void {
  const { window: limit, maxInput = limit } = model;
  const functionTokens = totalOf(tools);
  const prompt = totalOf([...tools, ...messages]);
  if (prompt > maxInput) throw new Rejection(400, describeOverflow(model, prompt, functionTokens), OVERFLOW);
  const max = maxTokensOf(body) ?? 0;
  if (prompt + max <= limit) return;
  throw new Rejection(
    400,
    `This model's maximum context length is ${limit} tokens. However, you requested ${prompt + max} tokens (${prompt} in the messages, ${max} in the completion). Please reduce the length of the messages or completion.`,
    OVERFLOW,
  );
}

/** Models that limit the prompt separately from the window have another message. */
function describeOverflow({ window: limit, maxInput = limit }: Model, prompt: number, functionTokens: number): string {
  if (maxInput < limit)
    return `Input tokens exceed the configured limit of ${maxInput} tokens. Your messages resulted in ${prompt} tokens. Please reduce the length of the messages.`;
  const split =
    functionTokens > 0 ? ` (${prompt - functionTokens} in the messages, ${functionTokens} in the functions)` : "";
  const what = functionTokens > 0 ? "messages or functions" : "messages";
  return `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${prompt} tokens${split}. Please reduce the length of the ${what}.`;
}
