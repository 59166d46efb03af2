import { LonghaulError } from "@longhaul/conversation";
import { type Destination, decode, decodePaced } from "@longhaul/fit";
import { codecOf } from "@longhaul/wire";
import type { Call, Received } from "../call.ts";
import type { ServeContext } from "../context.ts";
import { jsonOutcome, type Outcome } from "../http/outcome.ts";
import { countIn } from "../stages/admit.ts";
import { attempt, Refusal } from "../stages/attempt.ts";
import { encode } from "../stages/encode.ts";
import { fittedTokens } from "../stages/fit.ts";
import { recall } from "../stages/recall.ts";
import { resolve, wishOf } from "../stages/resolve.ts";
import { translate } from "../stages/translate.ts";

/**
 * Counts a prompt as it would be sent, so that no client makes its own history smaller for nothing: where it would be sent, if it would be
 * sent as it came and that place can count in the client's format, else here.
 */
export async function countTokens(received: Received, context: ServeContext): Promise<Outcome> {
  const call = recall(await decodePaced(received), context);
  await call.prepare();
  context.note({ model: call.model });
  const { api } = codecOf(call.endpoint.wire);
  const destinations = resolve(wishOf(call), context.snapshot);
  const [first] = destinations;
  const prompt = promptOf(call, context);
  const fitted = first && (await fittedTokens(prompt, first, context));
  if (fitted !== undefined) return jsonOutcome(api.encodeCount(fitted));
  const told = first && canCount(call, first) ? await askUpstream(call, destinations, context) : undefined;
  return told ?? jsonOutcome(api.encodeCount(await countHere(prompt, destinations, context)));
}

function canCount(call: Call, destination: Destination): boolean {
  if (destination.wire !== call.endpoint.wire) return false;
  return destination.handle.connection.upstream.deployment.path(encode(call, destination).outgoing) !== undefined;
}

/** What upstreams say that have no such path. */
const CANNOT = new Set([404, 405, 501]);

async function askUpstream(
  call: Call,
  destinations: readonly Destination[],
  context: ServeContext,
): Promise<Outcome | undefined> {
  const able = destinations.filter((destination) => canCount(call, destination));
  try {
    await countIn(call, context);
    return await attempt(call, able, { ...context, accept: (answer) => translate(call, answer, context) });
  } catch (error) {
    if (error instanceof Refusal && CANNOT.has(error.error.status)) return undefined;
    // A key without requests left still gets a count: ours.
    if (error instanceof LonghaulError && error.code === "limit.exceeded") return undefined;
    throw error;
  }
}

async function countHere(call: Call, [destination]: readonly Destination[], { memory }: ServeContext): Promise<number> {
  const counter = await memory.counters.counterFor(destination?.match.model.tokenizer ?? "other");
  return counter.countConversation(call.wholeRequest().conversation);
}

/** The call whose prompt is meant, which may stand inside the one that asks. */
function promptOf(call: Call, context: ServeContext): Call {
  const inner = codecOf(call.endpoint.wire).api.countedRequest?.(call.value());
  if (inner === undefined) return call;
  return recall(decode({ ...call, body: new TextEncoder().encode(JSON.stringify(inner)) }), context);
}
