import {
  type Answer,
  type Api,
  type Call,
  type Dialect,
  jsonReply,
  Rejection,
  type Reply,
  withKey,
} from "../core/api.ts";
import { totalOf } from "../core/automatic-caching.ts";
import { type JsonObject, textIn } from "../core/json.ts";
import { recordBill } from "../core/money.ts";
import { idFrom } from "../core/text.ts";
import type { StoredResponse, World } from "../core/world.ts";
import { authenticate, type OpenaiRequest, openaiDialect, openaiError, readRequest } from "../openai/api.ts";
import { billedOf } from "../openai/prompt-bill.ts";
import { piecesOf } from "./caching.ts";
import { checkItems } from "./check-items.ts";
import { checkRequest } from "./check-request.ts";
import { type AnswerContext, baseResponse, compact, finish, makeContext, markOf, sinceCompaction } from "./finish.ts";
import { eventsOf, type FinishedResponse, failureEvents, responseOf, usageOf } from "./reply.ts";
import { resolveItems } from "./request.ts";

/** The Responses API's errors: like OpenAI's other APIs, but an `error` event in streams. */
export const responsesDialect: Dialect = {
  error: openaiDialect.error,
  streamError: (rejection) => {
    const { message, param, code } = openaiError(rejection);
    return [{ event: "error", data: JSON.stringify({ type: "error", code, message, param, sequence_number: 0 }) }];
  },
};

export const openaiResponsesApi: Api = {
  id: "openai-responses",
  dialect: responsesDialect,
  routes: [
    { method: "POST", pattern: /^\/v1\/responses$/, answer: withRequest(answerResponses) },
    { method: "POST", pattern: /^\/v1\/responses\/compact$/, answer: withRequest(compactItems) },
    { method: "POST", pattern: /^\/v1\/responses\/input_tokens$/, answer: withRequest(countInput) },
    { method: "GET", pattern: /^\/v1\/responses\/([^/]+)$/, answer: withKey(authenticate, retrieveResponse) },
    { method: "DELETE", pattern: /^\/v1\/responses\/([^/]+)$/, answer: withKey(authenticate, deleteResponse) },
  ],
};

function withRequest(answer: (request: OpenaiRequest, call: Call, world: World) => Reply): Answer {
  return (call, world) => answer(readRequest(call, world), call, world);
}

export function answerResponses(request: OpenaiRequest, call: Call, world: World): Reply {
  checkRequest(request);
  const all = resolveItems(request.body, world);
  checkItems(all, world);
  const context = makeContext({ request, call, world, items: fitItems(request, sinceCompaction(all), world) });
  const overflow = overflowOf(context);
  if (overflow !== undefined) return refuse(context, overflow);
  const finished = finish(context);
  if (request.body.store !== false) storeResponse({ finished, items: all }, world);
  const headers = headersOf(call);
  if (request.body.stream !== true) return jsonReply(responseOf(finished), headers);
  return { kind: "stream", headers, framing: "sse", events: eventsOf(finished, world.settings.deltaChars) };
}

export function countInput(request: OpenaiRequest, call: Call, world: World): Reply {
  const items = resolveItems(request.body, world);
  checkItems(items, world);
  const input_tokens = totalOf(piecesOf(request.body, sinceCompaction(items), world));
  return jsonReply({ object: "response.input_tokens", input_tokens }, headersOf(call));
}

/** `POST /v1/responses/compact`: returns all user messages, then one item that replaces everything. */
export function compactItems(request: OpenaiRequest, call: Call, world: World): Reply {
  const all = resolveItems(request.body, world);
  checkItems(all, world);
  const context = makeContext({ request, call, world, items: sinceCompaction(all) });
  const overflow = overflowOf(context);
  if (overflow !== undefined) throw overflow;
  const { item, bill, tokens } = compact(context);
  recordBill(call.record, request.model, [billedOf(bill, tokens)]);
  const userMessages = all
    .filter(({ role }) => role === "user")
    .map((message, at) => ({ ...userMessage(message), id: `msg_${markOf(call)}${at}` }));
  const body = {
    id: idFrom("resp_", call.seed),
    object: "response.compaction",
    created_at: Math.floor(world.now() / 1_000),
    output: [...userMessages, item],
    usage: usageOf(bill, { tokens }),
  };
  return jsonReply(body, headersOf(call));
}

function userMessage({ content, ...message }: JsonObject): JsonObject {
  const parts = typeof content === "string" ? [{ type: "input_text", text: content }] : content;
  return { ...message, type: "message", status: "completed", content: parts };
}

function headersOf({ requestId }: Call): Readonly<Record<string, string>> {
  return { "x-request-id": requestId, "openai-version": "2020-10-01" };
}

/** With `truncation: "auto"`, drops items from the beginning until the rest fits. */
function fitItems({ body, model }: OpenaiRequest, items: readonly JsonObject[], world: World): readonly JsonObject[] {
  if (body.truncation !== "auto") return items;
  const limit = model.maxInput ?? model.window;
  let from = 0;
  while (from < items.length - 1 && totalOf(piecesOf(body, items.slice(from), world)) > limit) from += 1;
  return items.slice(from);
}

function overflowOf({ request, pieces }: AnswerContext): Rejection | undefined {
  const { model } = request;
  const isOver = totalOf(pieces) > (model.maxInput ?? model.window);
  const message = "Your input exceeds the context window of this model. Please adjust your input and try again.";
  return isOver ? new Rejection(400, message, { param: "input", code: "context_length_exceeded" }) : undefined;
}

/** A plain request gets an error status; a stream begins, then fails. */
function refuse(context: AnswerContext, rejection: Rejection): Reply {
  const { request, call } = context;
  if (request.body.stream !== true) throw rejection;
  call.record.rejection = rejection;
  const events = failureEvents({ ...baseResponse(context), output: [], status: "failed", usage: null }, rejection);
  return { kind: "stream", headers: headersOf(call), framing: "sse", events };
}

/** Stores a response, so that later requests can continue from it or refer to its items. */
export function storeResponse(
  { finished, items }: { finished: FinishedResponse; items: readonly JsonObject[] },
  { stored, storedItems }: World,
): void {
  stored.set(finished.id, { response: responseOf(finished), items: [...items, ...finished.output] });
  const reasoning = finished.output.find(({ type }) => type === "reasoning");
  for (const item of finished.output) {
    const isLed = reasoning !== undefined && (item.type === "function_call" || item.type === "message");
    storedItems.set(textIn(item.id), { item, ...(isLed && { requires: textIn(reasoning.id) }) });
  }
}

export function retrieveResponse(call: Call, world: World): Reply {
  const { response } = requireStored(call, world);
  return jsonReply(response, { "x-request-id": call.requestId });
}

export function deleteResponse(call: Call, world: World): Reply {
  requireStored(call, world);
  const id = call.params[0] ?? "";
  world.stored.delete(id);
  return jsonReply({ id, object: "response", deleted: true }, { "x-request-id": call.requestId });
}

function requireStored({ params }: Call, { stored }: World): StoredResponse {
  const id = params[0] ?? "";
  const found = stored.get(id);
  if (found === undefined) throw new Rejection(404, `Response with id '${id}' not found.`);
  return found;
}
