import type { LonghaulError } from "@longhaul/conversation";
import { type Codec, sseReader } from "@longhaul/wire";

/** A reply may be followed by its usage, by comments and by `[DONE]`, each in its own chunk. */
const LAST_CHUNKS = 4;
/** Only the events in this many bytes at the end of each chunk are searched: one chunk may hold hundreds. */
const TAIL_BYTES = 2_048;

/** Watches how a stream ends, looking only at its last events. */
export function watchStreamEnd(codec: Codec) {
  const { end, failure } = codec.markers;
  const last: Buffer[] = [];
  // All marks are ASCII, and searching text is faster than searching bytes.
  let tailText: string | undefined;
  const tail = () => {
    tailText ??= last.map(lastEvents).join("\n\n");
    return tailText;
  };
  const all = () => last.map((events) => events.toString("latin1")).join("\n\n");
  const hasEnded = () => includesAny(tail(), end) || includesAny(all(), end);
  const hasFailed = () => includesAny(tail(), failure) || (!includesAny(tail(), end) && includesAny(all(), failure));
  return {
    see: (events: Buffer) => {
      tailText = undefined;
      if (last.push(events) > LAST_CHUNKS) last.shift();
    },
    /** Returns whether the reply has ended, in the events seen so far or in `rest`, which follows them. */
    isComplete: (rest: Buffer) => hasEnded() || includesAny(rest.toString("latin1"), end),
    /** Returns the error that the upstream itself sent as one of its last events. */
    failure: () => (hasFailed() ? failureIn(Buffer.concat(last), codec) : undefined),
  };
}

/** Returns the text of the last events of a chunk; all of them if their lines end in CR LF. */
function lastEvents(events: Buffer): string {
  const before = events.length - TAIL_BYTES;
  return events.toString("latin1", before < 0 ? 0 : events.lastIndexOf("\n\n", before) + 1);
}

function includesAny(text: string, marks: readonly string[]): boolean {
  return marks.some((mark) => text.includes(mark));
}

/** Returns whether bytes contain one of the texts by which a format recognises its answers. */
export function hasMark(bytes: Buffer, marks: readonly string[]): boolean {
  return marks.some((mark) => includesMark(bytes, mark));
}

const QUOTE = '"';

/** Node searches for the first byte of a short text. Quotes are everywhere in JSON, so the search starts after the quote. */
function includesMark(bytes: Buffer, mark: string): boolean {
  if (!mark.startsWith(QUOTE)) return bytes.includes(mark);
  const name = mark.slice(1);
  for (let at = bytes.indexOf(name); at !== -1; at = bytes.indexOf(name, at + 1)) {
    if (bytes[at - 1] === QUOTE.charCodeAt(0)) return true;
  }
  return false;
}

/** Decodes each event on its own, because the ones before it are gone. */
function failureIn(events: Buffer, codec: Codec): LonghaulError | undefined {
  const [, found] = sseReader.step(sseReader.start(Number.POSITIVE_INFINITY), events);
  for (const event of found.filter(({ data }) => includesAny(data, codec.markers.failure))) {
    const [, events] = codec.decodeStream.step(codec.decodeStream.start(), event);
    const failed = events.find(({ type }) => type === "error");
    if (failed?.type === "error") return failed.error;
  }
  return undefined;
}
