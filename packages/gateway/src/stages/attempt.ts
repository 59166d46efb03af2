import { LonghaulError } from "@longhaul/conversation";
import { type Destination, type Fitted, makePauses, windowOf } from "@longhaul/fit";
import { type Incoming, isStreamed, readGoodBody, readRefusal, retryAfterMs, retryDelayMs } from "@longhaul/upstream";
import { codecOf } from "@longhaul/wire";
import type { Call } from "../call.ts";
import { missingCredential } from "../keys/missing-credential.ts";
import { sharedReference } from "../keys/shared-state.ts";
import { type PlannedCall, planCall } from "../reasoning/plan-call.ts";
import { tellAdjustments } from "../reasoning/tell-adjustments.ts";
import { hold } from "../sending/hold.ts";
import { waiting, waitingChain } from "../sending/waiting.ts";
import { destinationsAfter } from "./destinations-after.ts";
import { type Encoded, encodePaced } from "./encode.ts";
import { type FitStageContext, fitCall, type Recovery, recoveryFrom } from "./fit.ts";
import { thinkingOf } from "./recall.ts";

/** An upstream's answer that began well. Nothing of it has reached the client yet. */
export type Answer = StreamAnswer | WholeAnswer;

interface AnswerHead {
  readonly destination: Destination;
  readonly encoded: Encoded;
  /** How it was made to fit; absent where it was left alone. */
  readonly fitted?: Fitted;
  readonly status: number;
  readonly headers: Incoming["headers"];
}

/** One that arrives as server-sent events. */
export interface StreamAnswer extends AnswerHead {
  readonly isStream: true;
  readonly body: AsyncIterable<Uint8Array>;
  /** Called once the stream is over, with the error that ended it, if any. */
  readonly onEnd: (error?: LonghaulError) => void;
}

/** One that came as one body. */
export interface WholeAnswer extends AnswerHead {
  readonly isStream: false;
  readonly body: Buffer;
}

/** An error that an upstream gave, with the bytes it gave it in. */
export class Refusal extends Error {
  readonly error: LonghaulError;
  readonly destination: Destination;
  readonly headers: Incoming["headers"];
  /** Absent if the error came inside a stream or from the network, or was not JSON. */
  readonly body: Buffer | undefined;

  constructor(
    error: LonghaulError,
    destination: Destination,
    answer: { headers?: Incoming["headers"]; body?: Buffer } = {},
  ) {
    super(error.message, { cause: error });
    this.error = error;
    this.destination = destination;
    this.headers = answer.headers ?? {};
    this.body = answer.body;
  }
}

/** What an attempt takes from outside. */
export interface AttemptContext<Accepted> extends FitStageContext {
  /** Makes of an answer what the client gets. An error of the upstream that shows only here counts like any other: nothing was sent yet. */
  readonly accept: (answer: Answer) => Promise<Accepted>;
}

/**
 * Owns retry and failover: tries each destination in order, some more than once, until the answer of one is accepted. What is too large for one
 * goes on to those with a larger window. It may only run while nothing has reached the client. The last failure is thrown when none answers.
 */
export async function attempt<Accepted>(
  call: Call,
  destinations: readonly Destination[],
  context: AttemptContext<Accepted>,
): Promise<Accepted> {
  const { learned } = context.memory.fitting;
  const windowAt = (destination: Destination) => windowOf(destination, learned.window(call, destination));
  let last: Failure | undefined;
  for (let [destination, ...left] = destinations; destination !== undefined; [destination, ...left] = left) {
    const { circuit, retries } = destination.handle;
    const isLastChance = left.length === 0 && (last === undefined || isTooLarge(last));
    if (!circuit.allows() && !isLastChance) continue;
    retries.earn();
    const outcome = await tryTarget(call, destination, context).catch((error: unknown) => {
      if (error instanceof LonghaulError && isTooLarge(error)) return error;
      // What this destination cannot be told matters less than why the one before it failed.
      throw last ?? error;
    });
    if (!(outcome instanceof Error)) return outcome;
    last = tellingOf(last, outcome);
    left = [...destinationsAfter(errorOf(outcome), { destination, left, windowAt })];
  }
  throw last ?? new LonghaulError("upstream.unreachable", ALL_FAILING);
}

const ALL_FAILING = "every upstream of this route has been failing; it is tried again in a while";

/** Why a destination did not answer: in the upstream's words, or because the request cannot be made to fit. */
type Failure = Refusal | LonghaulError;

function errorOf(failure: Failure): LonghaulError {
  return failure instanceof Refusal ? failure.error : failure;
}

function isTooLarge(failure: Failure): boolean {
  return errorOf(failure).code === "request.too-large";
}

/** The failure to tell of: that a destination is too small matters less than why the one before it failed. */
function tellingOf(last: Failure | undefined, next: Failure): Failure {
  return last === undefined || next instanceof Refusal || isTooLarge(last) ? next : last;
}

/** Makes the call fit the target and sends it; what is still too long there is made smaller and sent again, at most twice. */
async function tryTarget<Accepted>(
  asked: Call,
  wished: Destination,
  context: AttemptContext<Accepted>,
): Promise<Accepted | Refusal> {
  const missing = missingCredential(asked, wished.handle.connection.upstream) ?? refuseShared(asked, wished, context);
  if (missing !== undefined) return new Refusal(missing, wished);
  const { thoughts } = context.memory;
  const pauses = makePauses();
  const planned: PlannedCall = planCall(asked, wished, (request) =>
    thoughts.putBack(thinkingOf(asked, planned.destination), request),
  );
  const { call, destination, warnings, isExcluded } = planned;
  tellAdjustments(call, destination, { warnings, log: context.snapshot.log });
  await pauses.take();
  let recovery: Recovery | undefined;
  let refused: Refusal | undefined;
  for (let recoveries = 0; ; recoveries++) {
    const fitted = await fitCall(call, destination, { context, pressure: recovery?.pressure }).catch(
      (error: unknown) => {
        // What the upstream said tells a client more than that it cannot be helped.
        if (refused === undefined) throw error;
        return refused;
      },
    );
    if (fitted instanceof Refusal) return fitted;
    const written = await encodePaced(call, destination, { fitted, pauses });
    const encoded = { ...written, warnings: [...warnings, ...written.warnings], isExcluded };
    const outcome = await tryFitted({ call, destination, fitted, encoded }, context);
    if (!(outcome instanceof Refusal)) {
      if (fitted !== undefined) recovery?.onAnswered?.(fitted);
      return outcome;
    }
    refused = outcome;
    recovery = await recoveryFrom(outcome.error, fitted, recoveries);
    if (recovery === undefined) return outcome;
  }
}

/** Refuses to go on from what the vendor keeps for other tenants; other formats are sent the whole history. */
function refuseShared(call: Call, { wire, handle }: Destination, { snapshot, memory }: FitStageContext) {
  if (call.codec.id !== wire || call.codec.traits.references === undefined) return undefined;
  const use = { call, upstream: handle.connection.upstream, server: snapshot.config.server };
  return sharedReference(use, (id) => memory.responses.owns(call.caller.credential, id));
}

/** A call made ready for one destination. */
interface Ready {
  readonly call: Call;
  readonly destination: Destination;
  readonly fitted: Fitted | undefined;
  readonly encoded: Encoded;
}

async function tryFitted<Accepted>(ready: Ready, context: AttemptContext<Accepted>): Promise<Accepted | Refusal> {
  const { circuit, retries, connection } = ready.destination.handle;
  for (let tries = 0; ; tries++) {
    const outcome = await tryOnce(ready, context);
    if (!(outcome instanceof Refusal)) return outcome;
    const { error, headers } = outcome;
    if (isUpstreamFailure(error)) circuit.failed();
    const delayMs = retryDelayMs(tries, retryAfterMs(headers) ?? error.retryAfterMs, context.random);
    const isWorthIt = error.retryable && headers["x-should-retry"] !== "false";
    const mayRetry = isWorthIt && tries < connection.upstream.maxRetries && delayMs !== undefined;
    if (!mayRetry || !circuit.allows() || !retries.spend()) return outcome;
    await waiting(context.note, () => context.wait(delayMs, context.signal));
  }
}

/** Whether an error says that the upstream is not well, rather than the request. */
function isUpstreamFailure({ code, retryable }: LonghaulError): boolean {
  return code.startsWith("upstream.") && retryable;
}

async function tryOnce<Accepted>(ready: Ready, context: AttemptContext<Accepted>): Promise<Accepted | Refusal> {
  const { destination, encoded } = ready;
  const { id } = destination.handle.connection.upstream;
  const { model: sentAs, match } = destination;
  context.note({ attempts: 1, upstream: id, sentAs, served: match, warnings: encoded.warnings });
  const { body } = encoded.outgoing;
  const isKept = context.snapshot.config.contents.keep !== "off";
  if (isKept && body !== undefined) context.note({ sent: { wire: destination.wire, body } });
  return await waiting(context.note, () => sendOnce(ready, context));
}

async function sendOnce<Accepted>(ready: Ready, context: AttemptContext<Accepted>): Promise<Accepted | Refusal> {
  const { destination, encoded } = ready;
  const { circuit, connection } = destination.handle;
  let headers: Incoming["headers"] = {};
  try {
    const incoming = await connection.send(encoded.outgoing, context.signal);
    headers = incoming.headers;
    if (incoming.status >= 400) return await refusalOf(incoming, destination);
    const answer = await open(ready, incoming, context);
    const accepted = await context.accept(answer);
    if (answer.isStream) circuit.began();
    else circuit.succeeded();
    return accepted;
  } catch (error) {
    if (error instanceof LonghaulError && isUpstreams(error)) return new Refusal(error, destination, { headers });
    throw error;
  }
}

/** Reads an answer as far as it takes to know that it is one: all of a whole body, a stream up to its first content. */
async function open(
  { destination, fitted, encoded }: Ready,
  incoming: Incoming,
  context: FitStageContext,
): Promise<Answer> {
  const { status, headers } = incoming;
  const { upstream } = destination.handle.connection;
  const codec = codecOf(destination.wire);
  const begun = { destination, encoded, ...(fitted && { fitted }), status, headers };
  if (!isStreamed(incoming, upstream, encoded.outgoing)) {
    const isReply = encoded.outgoing.action === "generate";
    return { ...begun, isStream: false, body: await readGoodBody(incoming, isReply ? codec : undefined) };
  }
  const { held, rest } = await hold(incoming.body, codec, { maxEventBytes: upstream.maxEventBytes });
  const onEnd = endOf(destination, context);
  return { ...begun, isStream: true, body: waitingChain(held, rest, context.note), onEnd };
}

/** How a stream ends counts for the circuit, unless the client ended it. */
function endOf({ handle }: Destination, { signal }: FitStageContext): StreamAnswer["onEnd"] {
  return (error) => {
    if (signal.aborted) return;
    if (error === undefined) handle.circuit.succeeded();
    else if (isUpstreamFailure(error)) handle.circuit.failed();
  };
}

/** A stream may begin with the upstream's refusal. */
function isUpstreams({ code }: LonghaulError): boolean {
  return code.startsWith("upstream.") || code === "request.too-large";
}

async function refusalOf(answer: Incoming, destination: Destination): Promise<Refusal> {
  const { error, body } = await readRefusal(answer, codecOf(destination.wire));
  return new Refusal(error, destination, { headers: answer.headers, ...(body && { body }) });
}
