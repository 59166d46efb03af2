import { LonghaulError } from "@longhaul/conversation";
import { type Destination, decode, decodePaced } from "@longhaul/fit";
import { codecOf } from "@longhaul/wire";
import { jsonOutcome, type Outcome } from "../http/outcome.ts";
import type { Call, Received, RequestContext } from "../request/request-context.ts";
import { countRequest } from "../stages/admit.ts";
import { encodeSync } from "../stages/encode.ts";
import { fittedTokens } from "../stages/fit.ts";
import { recall } from "../stages/recall.ts";
import { resolve, routeQueryOf } from "../stages/resolve.ts";
import { type Accept, type Answer, Refusal } from "../stages/send.ts";
import { translateAnswer } from "../stages/translate.ts";

/** Tries the destinations of a call until one answers. */
type TryDestinations = (
  delivery: { readonly call: Call; readonly destinations: readonly Destination[]; readonly accept: Accept<Outcome> },
  context: RequestContext,
) => Promise<Outcome>;

/**
 * Counts a prompt as it would be sent, so that clients do not condense their history needlessly. If the original would be sent and the upstream
 * can count in the client's format, the upstream counts; otherwise the gateway does.
 */
export async function countTokens(
  received: Received,
  context: RequestContext,
  tryDestinations: TryDestinations,
): Promise<Outcome> {
  const call = recall(await decodePaced(received), context);
  await call.prepare();
  context.record.model = call.model;
  const { api } = codecOf(call.endpoint.wire);
  const destinations = resolve(routeQueryOf(call), context.snapshot);
  const [first] = destinations;
  const prompt = promptOf(call, context);
  const fitted = first && (await fittedTokens({ call: prompt, destination: first }, context));
  if (fitted !== undefined) return jsonOutcome(api.encodeCount(fitted));
  if (first !== undefined && canCount(call, first)) {
    const able = destinations.filter((destination) => canCount(call, destination));
    const accept = (answer: Answer) => translateAnswer({ call }, answer, context);
    const send = () => tryDestinations({ call, destinations: able, accept }, context);
    const counted = await countUpstream(call, context, send);
    if (counted !== undefined) return counted;
  }
  return jsonOutcome(api.encodeCount(await countHere(prompt, destinations, context)));
}

function canCount(call: Call, destination: Destination): boolean {
  if (destination.wire !== call.endpoint.wire) return false;
  return (
    destination.handle.connection.upstream.deployment.path(encodeSync({ call, destination }).outgoing) !== undefined
  );
}

/** Statuses of upstreams without this path. */
const CANNOT = new Set([404, 405, 501]);

/** Returns the upstream's count; undefined if it cannot count, or if the key's limit does not allow the call: then the gateway counts. */
async function countUpstream(call: Call, context: RequestContext, send: () => Promise<Outcome>) {
  try {
    await countRequest(call, context);
    return await send();
  } catch (error) {
    if (error instanceof Refusal && CANNOT.has(error.error.status)) return undefined;
    if (error instanceof LonghaulError && error.code === "limit.exceeded") return undefined;
    throw error;
  }
}

async function countHere(call: Call, [destination]: readonly Destination[], { memory }: RequestContext) {
  const counter = await memory.counters.counterFor(destination?.match.model.tokenizer ?? "other");
  return counter.countConversation(call.wholeRequest().conversation);
}

/** Returns the call to count, which may be nested in the request. */
function promptOf(call: Call, context: RequestContext): Call {
  const inner = codecOf(call.endpoint.wire).api.countedRequest?.(call.value());
  if (inner === undefined) return call;
  return recall(decode({ ...call, body: new TextEncoder().encode(JSON.stringify(inner)) }), context);
}
