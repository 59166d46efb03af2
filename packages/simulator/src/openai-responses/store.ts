import type { Call, Reply } from "../core/api.ts";
import { type JsonObject, textIn } from "../core/json.ts";
import { Rejection } from "../core/rejection.ts";
import type { StoredResponse, World } from "../core/world.ts";
import { type FinishedResponse, responseOf } from "./reply.ts";

/** Keeps an answer, so that later requests can continue from it or refer to its items. */
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

/** `GET /v1/responses/{id}`. */
export function retrieveResponse(call: Call, world: World): Reply {
  const { response } = requireStored(call, world);
  return { kind: "json", status: 200, headers: { "x-request-id": call.requestId }, body: response };
}

/** `DELETE /v1/responses/{id}`. */
export function deleteResponse(call: Call, world: World): Reply {
  requireStored(call, world);
  const id = call.params[0] ?? "";
  world.stored.delete(id);
  const body = { id, object: "response", deleted: true };
  return { kind: "json", status: 200, headers: { "x-request-id": call.requestId }, body };
}

function requireStored({ params }: Call, { stored }: World): StoredResponse {
  const id = params[0] ?? "";
  const found = stored.get(id);
  if (found === undefined) throw new Rejection(404, `Response with id '${id}' not found.`);
  return found;
}
