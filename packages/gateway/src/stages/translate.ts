import { LonghaulError, type StreamEvent } from "@longhaul/conversation";
import { answerHeaders } from "@longhaul/upstream";
import {
  type Codec,
  codecOf,
  type Restore,
  restoreReply,
  restoreStream,
  sseReader,
  type WireEvent,
  writeSse,
} from "@longhaul/wire";
import { jsonOutcome, type Outcome, one } from "../http/outcome.ts";
import { readWhole } from "../sending/hold.ts";
import type { Answer, Refusal } from "./attempt.ts";
import type { Call } from "./decode.ts";

/** Turns an upstream's answer into the client's format; an answer of the same format keeps its bytes and its headers. */
export async function translate(call: Call, answer: Answer, nowSeconds: () => number): Promise<Outcome> {
  const { status, isStream, encoded } = answer;
  if (encoded.isSameFormat) {
    const body = isStream ? guarded(answer.body, codecOf(call.endpoint.wire)) : answer.body;
    return { status, headers: answerHeaders(answer.headers), body, isStream };
  }
  if (isStream) {
    const body = translateEvents(call, answer, nowSeconds());
    return { status, headers: { "content-type": "text/event-stream", "cache-control": "no-cache" }, body, isStream };
  }
  const value = parseAnswer((await readWhole(answer.body)).toString("utf8"));
  const { vendor } = answer.target.place.connection.upstream.deployment;
  const reply = restoreReply(codecOf(answer.target.wire).decodeReply(value, { vendor }), encoded.restore);
  const body = codecOf(call.endpoint.wire).encodeReply(reply, { createdSeconds: nowSeconds() });
  return jsonOutcome(body, status);
}

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new LonghaulError("upstream.broken", "the upstream's answer is not JSON", { cause });
  }
}

/** Once bytes have reached the client, a failure can only be told as an event in its stream. */
async function* guarded(body: AsyncIterable<Uint8Array>, codec: Codec): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    const [, events] = codec.encodeStream.step(codec.encodeStream.start(), { type: "error", error: asError(error) });
    yield encodeEvents(events);
  }
}

async function* translateEvents(
  call: Call,
  { target, body, encoded }: Answer,
  createdSeconds: number,
): AsyncGenerator<Uint8Array> {
  const { vendor } = target.place.connection.upstream.deployment;
  const translator = makeTranslator(codecOf(target.wire), codecOf(call.endpoint.wire), {
    restore: encoded.restore,
    vendor,
    createdSeconds,
  });
  try {
    for await (const chunk of body) {
      const bytes = translator.feed(chunk);
      if (bytes.length > 0) yield bytes;
    }
    yield translator.end();
  } catch (error) {
    yield translator.fail(asError(error));
  }
}

interface TranslatorOptions {
  readonly restore: Restore;
  readonly vendor: string;
  readonly createdSeconds: number;
}

/** Bytes of one format in, bytes of the other out: the steppers of both, one after the other. */
function makeTranslator(from: Codec, to: Codec, { restore, vendor, createdSeconds }: TranslatorOptions) {
  const restoring = restoreStream(restore);
  let bytes = sseReader.start();
  let reading = from.decodeStream.start({ vendor });
  let undoing = restoring.start();
  let writing = to.encodeStream.start({ createdSeconds });
  const write = (events: readonly StreamEvent[]): WireEvent[] =>
    events.flatMap((event) => {
      const [next, out] = to.encodeStream.step(writing, event);
      writing = next;
      return out;
    });
  const restored = (events: readonly StreamEvent[]): StreamEvent[] =>
    events.flatMap((event) => {
      const [next, out] = restoring.step(undoing, event);
      undoing = next;
      return out;
    });
  const feed = (chunk: Uint8Array): Uint8Array => {
    const [nextBytes, wireEvents] = sseReader.step(bytes, chunk);
    bytes = nextBytes;
    const out = wireEvents.flatMap((wireEvent) => {
      const [next, events] = from.decodeStream.step(reading, wireEvent);
      reading = next;
      return write(restored(events));
    });
    return encodeEvents(out);
  };
  const end = () => encodeEvents([...write(restored(from.decodeStream.end(reading))), ...to.encodeStream.end(writing)]);
  const fail = (error: LonghaulError) => encodeEvents(write([{ type: "error", error }]));
  return { feed, end, fail };
}

function encodeEvents(events: readonly WireEvent[]): Uint8Array {
  return new TextEncoder().encode(events.map(writeSse).join(""));
}

/** An error in the client's own dialect; one of the same dialect keeps its bytes, because clients act on its words. */
export function translateRefusal(call: Pick<Call, "endpoint">, { error, body, headers, target }: Refusal): Outcome {
  if (body !== undefined && target.wire === call.endpoint.wire) {
    return { status: error.status, headers: answerHeaders(headers), body: one(body), isStream: false };
  }
  return translateError(call.endpoint.wire, error);
}

/** An error of ours in the client's own dialect. */
export function translateError(wire: string, error: LonghaulError): Outcome {
  const { status, body } = codecOf(wire).encodeError(error);
  const retry =
    error.retryAfterMs === undefined ? {} : { "retry-after": String(Math.ceil(error.retryAfterMs / 1_000)) };
  return jsonOutcome(body, status, retry);
}

/** Anything that is not our own error is a bug, and its words stay inside. */
export function asError(error: unknown): LonghaulError {
  if (error instanceof LonghaulError) return error;
  return new LonghaulError("internal.bug", "something went wrong inside the gateway; its log says more", {
    cause: error,
  });
}
