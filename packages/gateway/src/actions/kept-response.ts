import { type JsonObject, LonghaulError } from "@longhaul/conversation";
import { jsonOutcome, type Outcome } from "../http/outcome.ts";
import type { KeptResponse } from "../memory/kept-responses.ts";
import type { Received, RequestContext } from "../request/request-context.ts";
import { notKept } from "../stages/recall.ts";

/** Returns or deletes a response that the gateway stores, or lists its input; undefined for everything else. */
export function answerKept(received: Received, { memory }: RequestContext): Outcome | undefined {
  const asked = readPath(received);
  const owner = received.caller.credential;
  const kept = asked && memory.responses.find(owner, asked.id);
  if (asked === undefined || kept === undefined) return undefined;
  const options = new URLSearchParams(received.query);
  if (asked.isInput) return jsonOutcome(pageOf(inputOf(kept, owner, memory), options));
  if (received.endpoint.method === "GET") return jsonOutcome(responseOf(kept, options));
  memory.responses.remove(owner, asked.id);
  return jsonOutcome({ id: asked.id, object: "response", deleted: true });
}

/** Throws OpenAI's error for an unknown response if the request is about one. */
export function rejectUnkept(received: Received): void {
  const asked = readPath(received);
  if (asked !== undefined) throw notKept("id", `Response with id '${asked.id}' not found.`);
}

const RESPONSE = "/responses/{id}";
const INPUT = "/responses/{id}/input_items";

function readPath({ endpoint: { method, passed } }: Received) {
  const { template, values } = passed ?? {};
  const isInput = template === INPUT;
  const isAsked = (isInput || template === RESPONSE) && method !== "POST";
  return isAsked && values?.id !== undefined ? { id: values.id, isInput } : undefined;
}

function responseOf({ response }: KeptResponse, options: URLSearchParams): JsonObject {
  if (options.get("stream") !== "true") return response;
  const message = "This response cannot be streamed because it was not created with background=true.";
  throw new LonghaulError("request.unsupported", message, { param: "stream" });
}

/** Returns the whole input of a response, from the first turn on, as far as it is still stored. */
function inputOf({ input, previous }: KeptResponse, owner: string, { responses }: RequestContext["memory"]) {
  const earlier = previous === undefined ? [] : (responses.history(owner, previous) ?? []);
  return [...earlier, ...input];
}

const DEFAULT_ITEMS = 20;
const MAX_ITEMS = 100;

/** Returns one page, newest items first by default. */
function pageOf(items: readonly JsonObject[], options: URLSearchParams): JsonObject {
  const ordered = options.get("order") === "asc" ? items : items.toReversed();
  const after = options.get("after");
  const at = ordered.findIndex(({ id }) => id === after);
  if (after !== null && at === -1) throw notKept("after", `Item with id '${after}' not found.`);
  const rest = ordered.slice(at + 1);
  const data = rest.slice(0, limitOf(options.get("limit")));
  const [first_id, last_id] = [data[0]?.id ?? null, data.at(-1)?.id ?? null];
  return { object: "list", data, first_id, last_id, has_more: data.length < rest.length };
}

function limitOf(text: string | null): number {
  const limit = Number(text ?? DEFAULT_ITEMS);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_ITEMS) return limit;
  throw new LonghaulError("request.malformed", `limit: "${text}" is not a whole number from 1 to ${MAX_ITEMS}`, {
    param: "limit",
  });
}
