import { asBuffer } from "@longhaul/upstream";
import { oversizedEvent } from "@longhaul/wire";

const LF = 0x0a;
const CR = 0x0d;

/**
 * Cuts a stream of server-sent events between two events, never inside one. The bytes stay the same. An event with more than `maxEventBytes`
 * throws `upstream.broken`.
 */
export function makeEventSplitter(maxEventBytes: number) {
  let open: Buffer[] = [];
  let openBytes = 0;
  /** The last two bytes of the incomplete event. */
  let before: Buffer = NOTHING;
  return {
    /** Returns all events that are complete after this chunk, if any. */
    push: (chunk: Uint8Array) => {
      const bytes = asBuffer(chunk);
      const end = endOfEvents(bytes, before);
      if (end === bytes.length && open.length === 0) return bytes;
      const events = end === 0 ? undefined : Buffer.concat([...open, bytes.subarray(0, end)]);
      if (events !== undefined) [open, openBytes, before] = [[], 0, NOTHING];
      const rest = bytes.subarray(end);
      if (rest.length > 0) open.push(rest);
      openBytes += rest.length;
      before = Buffer.concat([before, rest.subarray(-2)]).subarray(-2);
      if (openBytes > maxEventBytes) throw oversizedEvent(maxEventBytes);
      return events;
    },
    /** Returns the bytes of the incomplete event. */
    rest: () => Buffer.concat(open),
  };
}

const NOTHING = Buffer.alloc(0);

/** Returns the position after the last empty line, or 0. The line before it may have ended in the chunk before this one. */
function endOfEvents(chunk: Buffer, before: Buffer): number {
  // Most chunks end with an event, so the searches below are rarely needed.
  if (chunk.at(-1) === LF && chunk.at(-2) === LF) return chunk.length;
  const at = Math.max(chunk.lastIndexOf("\n\n"), chunk.lastIndexOf("\n\r\n"));
  if (at !== -1) return chunk.indexOf(LF, at + 1) + 1;
  return acrossChunks(chunk, before) || endOfCrEvents(chunk);
}

/** An empty line that was cut: `\n|\n`, `\n|\r\n`, `\n\r|\n` and `\r|\r`. */
function acrossChunks(chunk: Buffer, before: Buffer): number {
  const last = before.at(-1);
  const [first, second] = chunk;
  if (last === LF) return first === LF ? 1 : first === CR && second === LF ? 2 : 0;
  if (last !== CR) return 0;
  if (first === LF) return before.at(-2) === LF ? 1 : 0;
  return first === CR ? 1 : 0;
}

/** The standard allows lines that end with CR alone; no vendor writes them. */
function endOfCrEvents(chunk: Buffer): number {
  const at = chunk.includes(LF) ? -1 : chunk.lastIndexOf("\r\r");
  return at === -1 ? 0 : at + 2;
}
