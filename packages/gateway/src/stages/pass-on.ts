import type { LonghaulError } from "@longhaul/conversation";
import { answerHeaders, watchStreamEnd } from "@longhaul/upstream";
import { type Codec, MAX_EVENT_BYTES, truncatedStream } from "@longhaul/wire";
import type { Outcome } from "../http/outcome.ts";
import type { RequestRecord } from "../request/request-record.ts";
import { endsFull, type UsageWatch, watchStream, wholeUsage } from "../streams/usage-watch.ts";
import { makeEventSplitter } from "../streams/whole-events.ts";
import type { StreamAnswer, WholeAnswer } from "./send.ts";
import { asError } from "./translate-error.ts";
import { writeEvents } from "./translator.ts";

/** The parts of an answer that matter for passing it on. */
type Passed<Answer extends StreamAnswer | WholeAnswer> = Omit<Answer, "destination" | "encoded" | "fitted"> & {
  /** @default 32 MiB */
  readonly maxEventBytes?: number | undefined;
  /** Whether a stream must end as the format's replies do. @default true */
  readonly isReply?: boolean;
  /** Reads the whole events of a stream after they were sent. It must not throw. */
  readonly see?: (bytes: Uint8Array) => unknown;
};

const TYPES = { whole: /^application\/(?:[\w.-]+\+)?json\b/i, stream: /^text\/event-stream\b/i };

/** Passes on an answer that is already in the client's format: its bytes stay, and its usage and end are watched. */
export function passOn(
  answer: Passed<StreamAnswer> | Passed<WholeAnswer>,
  codec: Codec,
  record: RequestRecord,
): Outcome {
  const { status, isStream } = answer;
  const given = answerHeaders(answer.headers);
  const type = given["content-type"] ?? "";
  if (!answer.isStream) {
    const { body } = answer;
    record.usage = () => wholeUsage(body, codec);
    record.isWindowExceeded = () => endsFull(body);
    const headers = { ...given, "content-type": TYPES.whole.test(type) ? type : "application/json" };
    return { status, headers, body, isStream };
  }
  const watch = watchStream(codec);
  record.usage = watch.usage;
  record.isWindowExceeded = watch.isWindowExceeded;
  const headers = {
    ...given,
    "content-type": TYPES.stream.test(type) ? type : "text/event-stream",
    "cache-control": "no-cache",
  };
  return { status, headers, body: watched(answer, { codec, watch, record }), isStream };
}

interface Watching {
  readonly codec: Codec;
  readonly watch: UsageWatch;
  readonly record: RequestRecord;
}

/**
 * Passes on whole events. Once bytes have reached the client, a failure can only be an event in its stream: an incomplete event is left out,
 * so that the error is an event of its own.
 */
async function* watched(answer: Passed<StreamAnswer>, { codec, watch, record }: Watching): AsyncGenerator<Uint8Array> {
  const splitter = makeEventSplitter(answer.maxEventBytes ?? MAX_EVENT_BYTES);
  const end = watchStreamEnd(codec);
  let failure: LonghaulError | undefined;
  try {
    for await (const chunk of answer.body) {
      const events = splitter.push(chunk);
      if (events === undefined) continue;
      watch.see(events);
      end.see(events);
      yield events;
      answer.see?.(events);
    }
  } catch (cause) {
    failure = asError(cause);
  }
  const rest = splitter.rest();
  const reported = end.failure();
  const mayEndAnywhere = answer.isReply === false && failure === undefined;
  const isOver = mayEndAnywhere || reported !== undefined || end.isComplete(rest);
  const error = isOver ? reported : (failure ?? truncatedStream());
  if (error !== undefined) record.error = error;
  answer.onEnd(error);
  if (!isOver && error !== undefined) yield errorEvent(codec, error);
  else if (failure === undefined && rest.length > 0) yield rest;
}

function errorEvent(codec: Codec, error: LonghaulError): Uint8Array {
  const [, events] = codec.encodeStream.step(codec.encodeStream.start(), { type: "error", error });
  return writeEvents(events);
}
