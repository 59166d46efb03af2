import type { LonghaulError, Reply, StreamEvent } from "@longhaul/conversation/advanced";
import {
  type Codec,
  codecOf,
  eventsOf,
  type ReplyContext,
  type Restore,
  restoreStream,
  restoresNothing,
  runSteps,
  sseReader,
  type WireEvent,
  writeSse,
} from "@longhaul/wire";
import { jsonOutcome, type Outcome } from "../http/outcome.ts";
import type { Call } from "../request/request-context.ts";

export interface ReaderOptions {
  readonly from: Codec;
  readonly reading: ReplyContext;
  /** The changes of the request to undo. */
  readonly restore: Restore;
  /** @default 32 MiB */
  readonly maxEventBytes?: number | undefined;
}

/** Makes a reader that parses bytes, decodes the format's events and undoes the changes of the request. */
export function makeReader({ from, reading, restore, maxEventBytes }: ReaderOptions) {
  let bytes = sseReader.start(maxEventBytes);
  const decoding = runSteps(from.decodeStream, from.decodeStream.start(reading));
  const restoring = restoreStream(restore);
  const undoing = restoresNothing(restore) ? undefined : runSteps(restoring, restoring.start());
  const restored = (events: readonly StreamEvent[]) => undoing?.feed(events) ?? events;
  return {
    feed: (chunk: Uint8Array) => {
      const [next, wireEvents] = sseReader.step(bytes, chunk);
      bytes = next;
      return restored(decoding.feed(wireEvents));
    },
    /** Returns the remaining events at the end of the input. */
    end: () => restored(decoding.end()),
  };
}

export interface WriterOptions {
  readonly to: Codec;
  readonly writing: ReplyContext;
  /** Replaces an event by those that the client sees. */
  readonly change: (event: StreamEvent) => readonly StreamEvent[];
  /** Called with every event that the client gets. */
  readonly onWritten: (event: WireEvent) => void;
}

/** Makes a writer of bytes in a client's format. */
export function makeWriter({ to, writing, change, onWritten }: WriterOptions) {
  const encoding = runSteps(to.encodeStream, to.encodeStream.start(writing));
  const encoded = (events: readonly StreamEvent[]): WireEvent[] => {
    const seen: StreamEvent[] = [];
    for (const event of events) seen.push(...change(event));
    return encoding.feed(seen);
  };
  const write = (events: readonly WireEvent[]): Uint8Array => {
    for (const event of events) onWritten(event);
    return writeEvents(events);
  };
  return {
    write: (events: readonly StreamEvent[]) => write(encoded(events)),
    /** Writes the last events and the end of the stream. */
    end: (events: readonly StreamEvent[]) => write([...encoded(events), ...encoding.end()]),
  };
}

/** Returns a reply that the gateway itself made, as a stream if the client asked for one. */
export function replyOutcome(call: Call, reply: Reply, writing: ReplyContext): Outcome {
  const to = codecOf(call.endpoint.wire);
  if (!call.wantsStream()) return jsonOutcome(to.encodeReply(reply, writing));
  const writer = makeWriter({ to, writing, change: (event) => [event], onWritten: () => {} });
  const headers = { "content-type": "text/event-stream", "cache-control": "no-cache" };
  return { status: 200, headers, body: writer.end(eventsOf(reply)), isStream: true };
}

/** Turns the bytes of a stream in one format into those of another: with a reader of one and a writer of the other. */
export function makeTranslator(options: ReaderOptions & WriterOptions) {
  const reader = makeReader(options);
  const writer = makeWriter(options);
  return {
    feed: (chunk: Uint8Array) => writer.write(reader.feed(chunk)),
    /** Returns the remaining bytes at the end of the input. */
    end: () => writer.end(reader.end()),
    /** Returns the bytes that end a broken stream. */
    fail: (error: LonghaulError) => writer.write([{ type: "error", error }]),
  };
}

export function writeEvents(events: readonly WireEvent[]): Uint8Array {
  let text = "";
  for (const event of events) text += writeSse(event);
  return utf8.encode(text);
}

const utf8 = new TextEncoder();
