import type { Model } from "@longhaul/models/catalog";
import { type Api, type Call, Rejection, type Reply } from "../core/api.ts";
import { type Piece, totalOf } from "../core/automatic-caching.ts";
import { compose, limitDraft, type Output } from "../core/compose.ts";
import { objectIn, textIn } from "../core/json.ts";
import { recordBill } from "../core/money.ts";
import { idFrom } from "../core/text.ts";
import type { World } from "../core/world.ts";
import { authenticate, openaiDialect, readBody, requireModel } from "../openai/api.ts";
import { billedOf, billPrompt } from "../openai/prompt-bill.ts";
import { checkMessages } from "./check-messages.ts";
import { checkRequest, maxTokensOf } from "./check-request.ts";
import { completionOf, eventsOf, type FinishedChat, usageOf } from "./reply.ts";
import { type ChatPieces, type ChatRequest, piecesOf, promptOf } from "./request.ts";

export const openaiChatApi: Api = {
  id: "openai-chat",
  dialect: openaiDialect,
  routes: [
    {
      method: "POST",
      pattern: /^\/v1\/chat\/completions$/,
      answer: (call, world) => answerChat(readCall(call, world), call, world),
    },
  ],
};

function readCall(call: Call, world: World): ChatRequest {
  const credential = authenticate(call, world);
  const body = readBody(call);
  const model = requireModel(body.model, world);
  call.record.model = model.id;
  call.record.isStream = body.stream === true;
  return { body, model, credential };
}

export function answerChat(request: ChatRequest, call: Call, world: World): Reply {
  checkRequest(request);
  checkMessages(request);
  const pieces = piecesOf(request.body, world);
  checkWindow(request, pieces);
  const finished = finish(request, pieces, { call, world });
  const headers = { "x-request-id": call.requestId, "openai-processing-ms": "1", "openai-version": "2020-10-01" };
  if (request.body.stream !== true) return { kind: "json", status: 200, headers, body: completionOf(finished) };
  const includesUsage = objectIn(request.body.stream_options).include_usage === true;
  const { deltaChars } = world.settings;
  return { kind: "stream", headers, framing: "sse", events: eventsOf(finished, { deltaChars, includesUsage }) };
}

interface AnswerContext {
  readonly call: Call;
  readonly world: World;
}

export function finish(
  request: ChatRequest,
  { tools, messages }: ChatPieces,
  { call, world }: AnswerContext,
): FinishedChat {
  const { body, model } = request;
  const pieces = [...tools, ...messages];
  const bill = billPrompt(pieces, request, world);
  const output = write(request, pieces, { call, world });
  recordBill(call.record, model, [billedOf(bill, output.tokens)]);
  call.record.thinkingTokens = output.thinking?.tokens ?? 0;
  return {
    id: idFrom("chatcmpl-", call.seed),
    model: textIn(body.model),
    created: Math.floor(world.now() / 1_000),
    output,
    usage: usageOf(bill, output),
  };
}

function write(request: ChatRequest, pieces: readonly Piece[], { call, world }: AnswerContext): Output {
  const { tokenizer, script, settings } = world;
  const prompt = promptOf(request, "openai-chat");
  const maxTokens = maxTokensOf(request.body) ?? request.model.maxOutput;
  const draft = compose(prompt, { tokenizer, script, ...settings, seed: call.seed, maxTokens });
  const limits = { maxTokens, roomTokens: request.model.window - totalOf(pieces), stopSequences: prompt.stopSequences };
  return limitDraft(draft, limits, tokenizer);
}

const OVERFLOW = { param: "messages", code: "context_length_exceeded" };

/** Rejects a prompt that exceeds the window, alone or with its answer. */
export function checkWindow({ body, model }: ChatRequest, { tools, messages }: ChatPieces): void {
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
