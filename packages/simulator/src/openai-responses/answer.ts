import type { Call, Reply } from "../core/api.ts";
import { totalOf } from "../core/automatic-caching.ts";
import { idFrom } from "../core/digest.ts";
import type { JsonObject } from "../core/json.ts";
import { noteBill } from "../core/money.ts";
import { Rejection } from "../core/rejection.ts";
import type { World } from "../core/world.ts";
import { billedOf } from "../openai/prompt-bill.ts";
import { piecesOf } from "./caching.ts";
import { checkItems } from "./check-items.ts";
import { checkRequest } from "./check-request.ts";
import { sinceCompaction } from "./compaction.ts";
import { compact, finish, markOf, openTurn, shell, type Turn } from "./finish.ts";
import { eventsOf, failureEvents, responseOf, usageOf } from "./reply.ts";
import { type ResponsesRequest, resolveItems } from "./request.ts";
import { storeResponse } from "./store.ts";

/** Answers a request to the Responses API. */
export function answerResponses(request: ResponsesRequest, call: Call, world: World): Reply {
  checkRequest(request);
  const all = resolveItems(request.body, world);
  checkItems(all, world);
  const turn = openTurn({ request, call, world, items: fitItems(request, sinceCompaction(all), world) });
  const overflow = overflowOf(turn);
  if (overflow !== undefined) return refuse(turn, overflow);
  const finished = finish(turn);
  if (request.body.store !== false) storeResponse({ finished, items: all }, world);
  const headers = headersOf(call);
  if (request.body.stream !== true) return { kind: "json", status: 200, headers, body: responseOf(finished) };
  return { kind: "stream", headers, framing: "sse", events: eventsOf(finished, world.settings.deltaChars) };
}

/** How many tokens a request would read. */
export function countInput(request: ResponsesRequest, call: Call, world: World): Reply {
  const items = resolveItems(request.body, world);
  checkItems(items, world);
  const input_tokens = totalOf(piecesOf(request.body, sinceCompaction(items), world));
  return {
    kind: "json",
    status: 200,
    headers: headersOf(call),
    body: { object: "response.input_tokens", input_tokens },
  };
}

/** `POST /v1/responses/compact`: all user messages, then one item that stands for everything. */
export function compactItems(request: ResponsesRequest, call: Call, world: World): Reply {
  const all = resolveItems(request.body, world);
  checkItems(all, world);
  const turn = openTurn({ request, call, world, items: sinceCompaction(all) });
  const overflow = overflowOf(turn);
  if (overflow !== undefined) throw overflow;
  const { item, bill, tokens } = compact(turn);
  noteBill(call.notes, request.model, [billedOf(bill, tokens)]);
  const said = all
    .filter(({ role }) => role === "user")
    .map((message, at) => ({ ...userMessage(message), id: `msg_${markOf(call)}${at}` }));
  const body = {
    id: idFrom("resp_", call.seed),
    object: "response.compaction",
    created_at: Math.floor(world.now() / 1_000),
    output: [...said, item],
    usage: usageOf(bill, { tokens }),
  };
  return { kind: "json", status: 200, headers: headersOf(call), body };
}

function userMessage({ content, ...message }: JsonObject): JsonObject {
  const parts = typeof content === "string" ? [{ type: "input_text", text: content }] : content;
  return { ...message, type: "message", status: "completed", content: parts };
}

function headersOf({ requestId }: Call): Readonly<Record<string, string>> {
  return { "x-request-id": requestId, "openai-version": "2020-10-01" };
}

/** With `truncation: "auto"` items are dropped from the beginning until the rest fits. */
function fitItems(
  { body, model }: ResponsesRequest,
  items: readonly JsonObject[],
  world: World,
): readonly JsonObject[] {
  if (body.truncation !== "auto") return items;
  const limit = model.maxInput ?? model.window;
  let from = 0;
  while (from < items.length - 1 && totalOf(piecesOf(body, items.slice(from), world)) > limit) from += 1;
  return items.slice(from);
}

function overflowOf({ request, pieces }: Turn): Rejection | undefined {
  const { model } = request;
  const isOver = totalOf(pieces) > (model.maxInput ?? model.window);
  const message = "Your input exceeds the context window of this model. Please adjust your input and try again.";
  return isOver ? new Rejection(400, message, { param: "input", code: "context_length_exceeded" }) : undefined;
}

/** A plain request is refused with a status; a streamed one begins, and then fails. */
function refuse(turn: Turn, rejection: Rejection): Reply {
  const { request, call } = turn;
  if (request.body.stream !== true) throw rejection;
  call.notes.rejection = rejection;
  const events = failureEvents({ ...shell(turn), output: [], status: "failed", usage: null }, rejection);
  return { kind: "stream", headers: headersOf(call), framing: "sse", events };
}
