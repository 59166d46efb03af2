import { LonghaulError } from "@longhaul/conversation";
import type { Incoming } from "@longhaul/upstream";
import { codecOf } from "@longhaul/wire";
import type { Call } from "../call.ts";
import type { Fitted } from "../fit/fit.ts";
import { windowOf } from "../fit/limits.ts";
import { missingCredential } from "../keys/missing-credential.ts";
import { sharedReference } from "../keys/shared-state.ts";
import { type PlannedCall, planCall } from "../reasoning/plan-call.ts";
import { tellAdjustments } from "../reasoning/tell-adjustments.ts";
import { hold } from "../sending/hold.ts";
import { isStreamed, readRefusal, readWhole } from "../sending/read-answer.ts";
import { retryDelayMs } from "../sending/retry.ts";
import { waiting, waitingChain } from "../sending/waiting.ts";
import type { Target } from "../target.ts";
import { type Encoded, encodePaced } from "./encode.ts";
import { type FitStageContext, fitCall, type Recovery, recoveryFrom } from "./fit.ts";
import { thinkingOf } from "./recall.ts";
import { targetsAfter } from "./targets-after.ts";

/** An upstream's answer that began well. Nothing of it has reached the client yet. */
export type Answer = StreamAnswer | WholeAnswer;

interface AnswerHead {
  readonly target: Target;
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
}

/** One that came as one body. */
export interface WholeAnswer extends AnswerHead {
  readonly isStream: false;
  readonly body: Buffer;
}

/** An error that an upstream gave, with the bytes it gave it in. */
export class Refusal extends Error {
  readonly error: LonghaulError;
  readonly target: Target;
  readonly headers: Incoming["headers"];
  /** Absent where the error came inside a stream or from the network. */
  readonly body: Buffer | undefined;

  constructor(error: LonghaulError, target: Target, answer: { headers?: Incoming["headers"]; body?: Buffer } = {}) {
    super(error.message, { cause: error });
    this.error = error;
    this.target = target;
    this.headers = answer.headers ?? {};
    this.body = answer.body;
  }
}

/**
 * Owns retry and failover: tries each target in order, some more than once, until one begins an answer. What is too large for one goes on
 * to those with a larger window. It may only run while nothing has reached the client. The last failure is thrown when none answers.
 */
export async function attempt(call: Call, targets: readonly Target[], context: FitStageContext): Promise<Answer> {
  const { learned } = context.memory.fitting;
  const windowAt = (target: Target) => windowOf(target, learned.window(call, target));
  let last: Failure | undefined;
  for (let [target, ...left] = targets; target !== undefined; [target, ...left] = left) {
    const { circuit, retries } = target.place;
    const isLastChance = left.length === 0 && (last === undefined || isTooLarge(last));
    if (!circuit.allows() && !isLastChance) continue;
    retries.earn();
    const outcome = await tryTarget(call, target, context).catch((error: unknown) => {
      if (error instanceof LonghaulError && isTooLarge(error)) return error;
      // What this target cannot be told matters less than why the one before it failed.
      throw last ?? error;
    });
    if (!(outcome instanceof Error)) return outcome;
    last = tellingOf(last, outcome);
    left = [...targetsAfter(errorOf(outcome), { target, left, windowAt })];
  }
  throw last ?? new LonghaulError("upstream.unreachable", ALL_FAILING);
}

const ALL_FAILING = "every upstream of this route has been failing; it is tried again in a while";

/** Why a target did not answer: in the upstream's words, or because the request cannot be made to fit. */
type Failure = Refusal | LonghaulError;

function errorOf(failure: Failure): LonghaulError {
  return failure instanceof Refusal ? failure.error : failure;
}

function isTooLarge(failure: Failure): boolean {
  return errorOf(failure).code === "request.too-large";
}

/** The failure to tell of: that a target is too small matters less than why the one before it failed. */
function tellingOf(last: Failure | undefined, next: Failure): Failure {
  return last === undefined || next instanceof Refusal || isTooLarge(last) ? next : last;
}

/** Makes the call fit the target and sends it; what is still too long there is made smaller and sent again, at most twice. */
async function tryTarget(asked: Call, wished: Target, context: FitStageContext): Promise<Answer | Refusal> {
  const missing = missingCredential(asked, wished.place.connection.upstream) ?? refuseShared(asked, wished, context);
  if (missing !== undefined) return new Refusal(missing, wished);
  const { thoughts } = context.memory;
  const planned: PlannedCall = planCall(asked, wished, (request) =>
    thoughts.putBack(thinkingOf(asked, planned.target), request),
  );
  const { call, target, warnings, isExcluded } = planned;
  tellAdjustments(call, target, { warnings, log: context.snapshot.log });
  let recovery: Recovery | undefined;
  let refused: Refusal | undefined;
  for (let recoveries = 0; ; recoveries++) {
    const fitted = await fitCall(call, target, { context, pressure: recovery?.pressure }).catch((error: unknown) => {
      // What the upstream said tells a client more than that it cannot be helped.
      if (refused === undefined) throw error;
      return refused;
    });
    if (fitted instanceof Refusal) return fitted;
    const written = await encodePaced(call, target, fitted);
    const encoded = { ...written, warnings: [...warnings, ...written.warnings], isExcluded };
    const outcome = await tryFitted({ call, target, fitted, encoded }, context);
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
function refuseShared(call: Call, { wire, place }: Target, { snapshot, memory }: FitStageContext) {
  if (wire !== "openai-responses" || call.codec.id !== wire) return undefined;
  const use = { call, upstream: place.connection.upstream, server: snapshot.config.server };
  return sharedReference(use, (id) => memory.responses.owns(call.caller.credential, id));
}

/** A call made ready for one target. */
interface Ready {
  readonly call: Call;
  readonly target: Target;
  readonly fitted: Fitted | undefined;
  readonly encoded: Encoded;
}

async function tryFitted(ready: Ready, context: FitStageContext): Promise<Answer | Refusal> {
  const { circuit, retries, connection } = ready.target.place;
  for (let tries = 0; ; tries++) {
    const outcome = await tryOnce(ready, context);
    if (!(outcome instanceof Refusal)) {
      circuit.succeeded();
      return outcome;
    }
    if (outcome.error.code.startsWith("upstream.") && outcome.error.retryable) circuit.failed();
    const delayMs = retryDelayMs(tries, outcome.headers, context.random);
    const mayRetry = outcome.error.retryable && tries < connection.upstream.maxRetries && delayMs !== undefined;
    if (!mayRetry || !circuit.allows() || !retries.spend()) return outcome;
    await waiting(context.note, () => context.wait(delayMs, context.signal));
  }
}

async function tryOnce(ready: Ready, context: FitStageContext): Promise<Answer | Refusal> {
  const { target, encoded } = ready;
  const { id } = target.place.connection.upstream;
  const { model: sentAs, match } = target;
  context.note({ attempts: 1, upstream: id, sentAs, served: match, warnings: encoded.warnings });
  const { body } = encoded.outgoing;
  const isKept = context.snapshot.config.contents.keep !== "off";
  if (isKept && body !== undefined) context.note({ sent: { wire: target.wire, body } });
  return await waiting(context.note, () => sendOnce(ready, context));
}

async function sendOnce({ target, fitted, encoded }: Ready, context: FitStageContext): Promise<Answer | Refusal> {
  const { connection } = target.place;
  try {
    const answer = await connection.send(encoded.outgoing, context.signal);
    if (answer.status >= 400) return await refusalOf(answer, target);
    const begun = { target, encoded, ...(fitted && { fitted }), status: answer.status, headers: answer.headers };
    if (!isStreamed(answer, connection.upstream, encoded.outgoing))
      return { ...begun, isStream: false, body: await readWhole(answer.body) };
    const { held, rest } = await hold(answer.body, codecOf(target.wire));
    return { ...begun, isStream: true, body: waitingChain(held, rest, context.note) };
  } catch (error) {
    if (error instanceof LonghaulError && isUpstreams(error)) return new Refusal(error, target);
    throw error;
  }
}

/** A stream may begin with the upstream's refusal. */
function isUpstreams({ code }: LonghaulError): boolean {
  return code.startsWith("upstream.") || code === "request.too-large";
}

async function refusalOf(answer: Incoming, target: Target): Promise<Refusal> {
  const { error, body } = await readRefusal(answer, codecOf(target.wire));
  return new Refusal(error, target, { headers: answer.headers, body });
}
