import type { IncomingMessage, ServerResponse } from "node:http";
import { ownValue, table } from "@longhaul/conversation/advanced";
import { type Destination, decodePaced, makePauses, mustParse } from "@longhaul/fit";
import { answerOrCompact } from "./actions/compact.ts";
import { countTokens } from "./actions/count-tokens.ts";
import { listModels } from "./actions/list-models.ts";
import { pass } from "./actions/pass.ts";
import { arrive } from "./http/arrive.ts";
import { openExchange, type ServerContext } from "./http/exchange.ts";
import type { Outcome } from "./http/outcome.ts";
import { respond, respondError } from "./http/respond.ts";
import type { Arrived, Call, Received, RequestContext } from "./request/request-context.ts";
import { admit } from "./stages/admit.ts";
import { authenticate } from "./stages/authenticate.ts";
import { edit, pausedReply } from "./stages/edit.ts";
import { encode } from "./stages/encode.ts";
import { Failover } from "./stages/failover.ts";
import { fitCall, recordPromptSize } from "./stages/fit.ts";
import { planReasoning } from "./stages/plan-reasoning.ts";
import { recall } from "./stages/recall.ts";
import { record, recordMessage } from "./stages/record.ts";
import { describeRecovery, FIRST_TRY, recover } from "./stages/recover.ts";
import { resolve, routeQueryOf } from "./stages/resolve.ts";
import { type Accept, type Answer, Refusal, send } from "./stages/send.ts";
import { translate } from "./stages/translate.ts";
import { asError, translateRefusal } from "./stages/translate-error.ts";
import { checkVendorAccount } from "./stages/vendor-account.ts";

/**
 * The life of a request:
 * authenticate → admit → decode → recall → resolve → edit →
 * for each destination [ plan reasoning → fit → encode → send, recover ] → translate → record
 *
 * Serves one HTTP request up to the last byte of its answer. Never rejects: every error becomes an answer.
 */
export async function serveRequest(
  request: IncomingMessage,
  response: ServerResponse,
  server: ServerContext,
): Promise<void> {
  const exchange = openExchange(request, response, server);
  const { context } = exchange;
  try {
    const arrived = await arrive(exchange);
    if (arrived === undefined) return;
    await respond(exchange, arrived, await serve(arrived, context));
  } catch (error) {
    await respondError(exchange, asError(error));
  } finally {
    exchange.close();
  }
  record(context, response.statusCode);
}

/** Serves a request of the model API up to the first byte of its answer. An upstream's refusal is an answer too; other errors are thrown. */
export async function serve(arrived: Arrived, context: RequestContext): Promise<Outcome> {
  const authenticated = await authenticate(arrived, context);
  const limitHeaders = await admit(authenticated, context);
  const received = { ...authenticated, body: await arrived.readBody() };
  const outcome = await ACTIONS[received.endpoint.action](received, context).catch((error: unknown) => {
    recordMessage(error, received, context);
    return translateRefusal(error, received, context);
  });
  return { ...outcome, headers: { ...outcome.headers, ...limitHeaders, ...simulatedHeader(context) } };
}

/** Marks an answer of the simulator that answers if nothing is configured. */
function simulatedHeader({ record: { sentTo }, snapshot }: RequestContext): Outcome["headers"] {
  const upstream = sentTo && ownValue(snapshot.config.upstreams, sentTo.upstream);
  return upstream?.saysSimulated === true ? { "x-longhaul-simulated": "true" } : {};
}

const ACTIONS = table({
  generate,
  "count-tokens": (received: Received, context: RequestContext) => countTokens(received, context, tryDestinations),
  "list-models": listModels,
  pass,
} as const);

/** Returns a model's reply, or a compaction of the input if the client asks for one. */
async function generate(received: Received, context: RequestContext): Promise<Outcome> {
  const pauses = makePauses();
  const call = recall(await decodePaced(received, context.memory.fitting.histories), context);
  context.record.model = call.model;
  const destinations = resolve(routeQueryOf(call), context.snapshot);
  const isParsed = mustParse(call, destinations);
  await pauses.take();
  if (isParsed) await call.prepare();
  return await answerOrCompact({ received, call, destinations }, context, () => answer(call, destinations, context));
}

async function answer(call: Call, destinations: readonly Destination[], context: RequestContext): Promise<Outcome> {
  await recordPromptSize(call, destinations[0], context);
  const edited = await edit(call, destinations[0], context);
  const paused = pausedReply(edited, context);
  if (paused !== undefined) return paused;
  const accept = (answer: Answer) => translate(edited, answer, context);
  return await tryDestinations({ call: edited.call, destinations, accept }, context);
}

/** A call, the destinations that may answer it, and the function that turns the answer into the result. */
interface Delivery<Accepted> {
  readonly call: Call;
  readonly destinations: readonly Destination[];
  readonly accept: Accept<Accepted>;
}

/** Tries the destinations in order until one answers. If none does, throws the failure that helps the client most. */
export async function tryDestinations<Accepted>(
  delivery: Delivery<Accepted>,
  context: RequestContext,
): Promise<Accepted> {
  const failover = new Failover(delivery.call, delivery.destinations, context);
  for (let next = failover.next(); next !== undefined; next = failover.next()) {
    try {
      return await tryDestination(next, delivery, context);
    } catch (error) {
      failover.failed(next, error);
    }
  }
  throw failover.failure();
}

/** Fits the call to one destination and sends it. A refusal that a smaller request may avoid is recovered from, at most twice. */
async function tryDestination<Accepted>(
  destination: Destination,
  { call, accept }: Delivery<Accepted>,
  context: RequestContext,
): Promise<Accepted> {
  checkVendorAccount(call, destination, context);
  const planned = await planReasoning(call, { destination, context });
  for (let recovery = FIRST_TRY; ; ) {
    const fitted = await fitCall(planned, recovery, context);
    const encoded = await encode(planned, fitted);
    const outcome = await send({ destination: planned.destination, fitted, encoded }, accept, context);
    if (!(outcome instanceof Refusal)) {
      if (fitted !== undefined) recovery.onAnswered?.(fitted);
      return outcome;
    }
    recovery = await recover(outcome, fitted, recovery);
    context.snapshot.log.warned(describeRecovery(outcome, fitted));
  }
}
