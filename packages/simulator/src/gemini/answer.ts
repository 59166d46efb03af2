import type { Call, Reply } from "../core/api.ts";
import { totalOf } from "../core/automatic-caching.ts";
import { compose } from "../core/compose.ts";
import { idFrom } from "../core/digest.ts";
import { limitDraft, type Output } from "../core/limit.ts";
import { noteBill } from "../core/money.ts";
import { demand } from "../core/rejection.ts";
import type { World } from "../core/world.ts";
import { billedOf, billPrompt, detailsOf, piecesOf, usageAtStart, usageOf } from "./caching.ts";
import { checkMessages } from "./check-messages.ts";
import { checkRequest, maxTokensOf } from "./check-request.ts";
import { promptOf } from "./prompt.ts";
import { eventsOf, type FinishedContent, finishReason, partsOf, responseOf } from "./reply.ts";
import type { GeminiRequest } from "./request.ts";
import { checkSignatures } from "./signatures.ts";

/** Answers a request to generate content. */
export function answerContent(request: GeminiRequest, call: Call, world: World): Reply {
  check(request, world);
  const finished = finish(request, call, world);
  const { delivery } = request;
  if (delivery === "whole") return { kind: "json", status: 200, headers: {}, body: responseOf(finished) };
  return { kind: "stream", headers: {}, framing: delivery, events: eventsOf(finished, world.settings.deltaChars) };
}

/** How many tokens a request would read. */
export function countTokens(request: GeminiRequest, world: World): Reply {
  check(request, world);
  const pieces = piecesOf(request.body, world);
  const total = totalOf(pieces);
  const body = { totalTokens: total, promptTokensDetails: detailsOf({ total, pieces }) };
  return { kind: "json", status: 200, headers: {}, body };
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
  demand(tokens <= limit, `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${limit}).`);
  const bill = billPrompt(pieces, request, world);
  const output = write(request, call, world);
  noteBill(call.notes, model, [billedOf(bill, output.tokens)]);
  call.notes.thinkingTokens = output.thinking?.tokens ?? 0;
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

/** The reply has its own limit beside the prompt's: a long prompt leaves it as much room as a short one. */
function write(request: GeminiRequest, call: Call, { tokenizer, script, settings }: World): Output {
  const prompt = promptOf(request);
  const maxTokens = maxTokensOf(request);
  const draft = compose(prompt, { tokenizer, script, ...settings, seed: call.seed, maxTokens });
  return limitDraft(draft, { maxTokens, roomTokens: maxTokens, stopSequences: prompt.stopSequences }, tokenizer);
}
