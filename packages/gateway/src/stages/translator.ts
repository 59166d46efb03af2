import type { LonghaulError, StreamEvent } from "@longhaul/conversation";
import {
  type Codec,
  type ReplyContext,
  type Restore,
  restoreStream,
  sseReader,
  type WireEvent,
  writeSse,
} from "@longhaul/wire";

/** Turns the bytes of a stream in one format into those of another. */
export interface Translator {
  feed(chunk: Uint8Array): Uint8Array;
  /** What is still to be said when the input has ended. */
  end(): Uint8Array;
  /** What is still to be said when it broke off. */
  fail(error: LonghaulError): Uint8Array;
}

/** What a translator is made of. */
export interface TranslatorOptions {
  readonly from: Codec;
  readonly to: Codec;
  readonly reading: ReplyContext;
  readonly writing: ReplyContext;
  /** What to undo that was done to the request. */
  readonly restore: Restore;
  /** What else to change in an event before the client sees it. */
  readonly change: (event: StreamEvent) => StreamEvent;
  /** Told of every event that the client gets. */
  readonly onWritten: (event: WireEvent) => void;
}

/** Makes a translator: the steppers of both formats, one after the other. */
export function makeTranslator(options: TranslatorOptions): Translator {
  const { from, to, change, onWritten } = options;
  const restoring = restoreStream(options.restore);
  let bytes = sseReader.start();
  let reading = from.decodeStream.start(options.reading);
  let undoing = restoring.start();
  let writing = to.encodeStream.start(options.writing);
  const write = (events: readonly StreamEvent[]): WireEvent[] =>
    events.flatMap((event) => {
      const [next, out] = to.encodeStream.step(writing, change(event));
      writing = next;
      return out;
    });
  const restored = (events: readonly StreamEvent[]): StreamEvent[] =>
    events.flatMap((event) => {
      const [next, out] = restoring.step(undoing, event);
      undoing = next;
      return out;
    });
  const spell = (events: readonly WireEvent[]): Uint8Array => {
    for (const event of events) onWritten(event);
    return spellEvents(events);
  };
  return {
    feed: (chunk) => {
      const [nextBytes, wireEvents] = sseReader.step(bytes, chunk);
      bytes = nextBytes;
      const out = wireEvents.flatMap((wireEvent) => {
        const [next, events] = from.decodeStream.step(reading, wireEvent);
        reading = next;
        return write(restored(events));
      });
      return spell(out);
    },
    end: () => spell([...write(restored(from.decodeStream.end(reading))), ...to.encodeStream.end(writing)]),
    fail: (error) => spell(write([{ type: "error", error }])),
  };
}

/** The bytes of server-sent events. */
export function spellEvents(events: readonly WireEvent[]): Uint8Array {
  return new TextEncoder().encode(events.map(writeSse).join(""));
}
