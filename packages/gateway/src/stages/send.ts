import { LonghaulError } from "@longhaul/conversation";
import type { Destination, Fitted } from "@longhaul/fit";
import {
  type Incoming,
  isStreamed,
  isUpstreamFailure,
  readGoodBody,
  readRefusal,
  withRetries,
} from "@longhaul/upstream";
import { codecOf } from "@longhaul/wire";
import type { RequestContext } from "../request/request-context.ts";
import { addWait, type RequestRecord, timeWait } from "../request/request-record.ts";
import { hold } from "../streams/hold.ts";
import type { Encoded } from "./encode.ts";

/** An upstream's answer that began well. The client has not seen any of it. */
export type Answer = StreamAnswer | WholeAnswer;

interface AnswerHead {
  readonly destination: Destination;
  readonly encoded: Encoded;
  /** Absent if the request was not fitted. */
  readonly fitted?: Fitted;
  readonly status: number;
  readonly headers: Incoming["headers"];
}

/** An answer that arrives as server-sent events. */
export interface StreamAnswer extends AnswerHead {
  readonly isStream: true;
  readonly body: AsyncIterable<Uint8Array>;
  /** Called at the end of the stream, with the error that ended it, if any. */
  readonly onEnd: (error?: LonghaulError) => void;
}

export interface WholeAnswer extends AnswerHead {
  readonly isStream: false;
  readonly body: Buffer;
}

/** An error from an upstream, with the bytes of its answer. */
export class Refusal extends Error {
  readonly error: LonghaulError;
  readonly destination: Destination;
  readonly headers: Incoming["headers"];
  /** Absent if the error was inside a stream, came from the network, or was not JSON. */
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

export interface Ready {
  readonly destination: Destination;
  readonly fitted: Fitted | undefined;
  readonly encoded: Encoded;
}

/**
 * Turns an answer into what the client gets. It runs before the client has seen a byte, so an upstream error that it throws is retried
 * like any other.
 */
export type Accept<Accepted> = (answer: Answer) => Promise<Accepted>;

/** Sends a call, with retries while the upstream's retry budget and circuit allow them. Returns the last refusal if none succeeds. */
export async function send<Accepted>(
  ready: Ready,
  accept: Accept<Accepted>,
  context: RequestContext,
): Promise<Accepted | Refusal> {
  const { record, random, signal } = context;
  const attempt = () => {
    recordAttempt(ready, context);
    return timeWait(record, () => sendOnce(ready, accept, context));
  };
  return await withRetries(ready.destination.handle, attempt, {
    failureIn: (outcome) => (outcome instanceof Refusal ? outcome : undefined),
    random,
    wait: async (ms) => void (await timeWait(record, () => context.wait(ms, signal))),
  });
}

function recordAttempt({ destination, encoded }: Ready, { record, snapshot }: RequestContext): void {
  const { handle, model, match, wire } = destination;
  const { body } = encoded.outgoing;
  record.attempts += 1;
  record.sentTo = { upstream: handle.connection.upstream.id, model, match };
  record.warnings = encoded.warnings;
  if (snapshot.config.contents.keep !== "off" && body !== undefined) record.sent = { wire, body };
}

async function sendOnce<Accepted>(
  ready: Ready,
  accept: Accept<Accepted>,
  context: RequestContext,
): Promise<Accepted | Refusal> {
  const { destination, encoded } = ready;
  const { circuit, connection } = destination.handle;
  let headers: Incoming["headers"] = {};
  try {
    const incoming = await connection.send(encoded.outgoing, context.signal);
    headers = incoming.headers;
    if (incoming.status >= 400) return await refusalOf(incoming, destination);
    const answer = await openAnswer(ready, incoming, context);
    const accepted = await accept(answer);
    if (answer.isStream) circuit.began();
    else circuit.succeeded();
    return accepted;
  } catch (error) {
    if (error instanceof LonghaulError && isFromUpstream(error)) return new Refusal(error, destination, { headers });
    throw error;
  }
}

/** Reads a whole body to its end and a stream up to its first content: enough to know that it is an answer and not an error. */
async function openAnswer(
  { destination, fitted, encoded }: Ready,
  incoming: Incoming,
  context: RequestContext,
): Promise<Answer> {
  const { status, headers } = incoming;
  const { upstream } = destination.handle.connection;
  const codec = codecOf(destination.wire);
  const head = { destination, encoded, ...(fitted && { fitted }), status, headers };
  if (!isStreamed(incoming, upstream, encoded.outgoing)) {
    const isReply = encoded.outgoing.action === "generate";
    return { ...head, isStream: false, body: await readGoodBody(incoming, isReply ? codec : undefined) };
  }
  const { held, rest } = await hold(incoming.body, codec, { maxEventBytes: upstream.maxEventBytes });
  const onEnd = reportEnd(destination, context);
  return { ...head, isStream: true, body: rejoin(held, rest, context.record), onEnd };
}

/** Joins the held chunks and the rest of a stream. If no content has arrived yet, the wait for the next chunk is recorded. */
export async function* rejoin(
  held: readonly Uint8Array[],
  rest: AsyncIterable<Uint8Array>,
  record: RequestRecord,
): AsyncGenerator<Uint8Array> {
  yield* held;
  const fromMs = performance.now();
  let isFirst = true;
  for await (const chunk of rest) {
    if (isFirst) addWait(record, performance.now() - fromMs);
    isFirst = false;
    yield chunk;
  }
}

/** Reports the end of a stream to the circuit, unless the client ended it. */
function reportEnd({ handle }: Destination, { signal }: RequestContext): StreamAnswer["onEnd"] {
  return (error) => {
    if (signal.aborted) return;
    if (error === undefined) handle.circuit.succeeded();
    else if (isUpstreamFailure(error)) handle.circuit.failed();
  };
}

/** A stream may begin with the upstream's own "too large" error. */
function isFromUpstream({ code }: LonghaulError): boolean {
  return code.startsWith("upstream.") || code === "request.too-large";
}

async function refusalOf(answer: Incoming, destination: Destination): Promise<Refusal> {
  const { error, body } = await readRefusal(answer, codecOf(destination.wire));
  return new Refusal(error, destination, { headers: answer.headers, ...(body && { body }) });
}
