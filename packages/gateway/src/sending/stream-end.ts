import type { LonghaulError } from "@longhaul/conversation";
import { type Codec, sseReader } from "@longhaul/wire";

/** Watches how a stream ends, looking only at its last events. */
export interface StreamEnd {
  /** Takes the bytes of whole events. */
  see(events: Buffer): void;
  /** Returns whether the reply ended, in the events that were seen or in `rest`, which follows them. */
  isComplete(rest: Buffer): boolean;
  /** Returns the error that the upstream itself sent as one of its last events. */
  failure(): LonghaulError | undefined;
}

/** A reply may be followed by its usage, by comments and by `[DONE]`, each in a chunk of its own. */
const LAST_CHUNKS = 4;
/** Of each of these chunks, the last events are looked at: one chunk may hold hundreds. */
const LAST_EVENTS = 16;

/** Makes a watch for streams of one format. */
export function watchStreamEnd(codec: Codec): StreamEnd {
  const last: Buffer[] = [];
  return {
    see: (events) => {
      if (last.push(events) > LAST_CHUNKS) last.shift();
    },
    isComplete: (rest) => [rest, ...last.map(lastEvents)].some((events) => hasMark(events, codec.marks.end)),
    failure: () => {
      const failed = last.map(lastEvents).find((events) => hasMark(events, codec.marks.failure));
      return failed && failureIn(failed, codec);
    },
  };
}

/** Returns the last of some whole events; all of them if their lines end in CR LF. */
function lastEvents(events: Buffer): Buffer {
  let from = events.length;
  for (let count = 0; count < LAST_EVENTS; count++) {
    const endOfOther = from < 3 ? -1 : events.lastIndexOf("\n\n", from - 3);
    if (endOfOther === -1) return events;
    from = endOfOther + 2;
  }
  return events.subarray(from);
}

/** Returns whether bytes contain one of the texts by which a format recognises its answers. */
export function hasMark(bytes: Buffer, marks: readonly string[]): boolean {
  return marks.some((mark) => includesMark(bytes, mark));
}

const QUOTE = '"';

/** Node looks for the first byte of so short a text. Quotes are everywhere in JSON: without it the search takes a tenth of the time. */
function includesMark(bytes: Buffer, mark: string): boolean {
  if (!mark.startsWith(QUOTE)) return bytes.includes(mark);
  const name = mark.slice(1);
  for (let at = bytes.indexOf(name); at !== -1; at = bytes.indexOf(name, at + 1)) {
    if (bytes[at - 1] === QUOTE.charCodeAt(0)) return true;
  }
  return false;
}

/** Each event is read on its own: the ones before it are gone. */
function failureIn(events: Buffer, codec: Codec): LonghaulError | undefined {
  const [, found] = sseReader.step(sseReader.start(Number.POSITIVE_INFINITY), events);
  for (const event of found.filter(({ data }) => hasMark(Buffer.from(data), codec.marks.failure))) {
    const [, told] = codec.decodeStream.step(codec.decodeStream.start(), event);
    const failed = told.find(({ type }) => type === "error");
    if (failed?.type === "error") return failed.error;
  }
  return undefined;
}
