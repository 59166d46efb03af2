import { LonghaulError } from "@longhaul/conversation";
import type { Step, WireEvent } from "../codec/stepper.ts";

// Every JavaScript runtime has it, but the ECMAScript type library does not.
declare const TextDecoder: new (
  label: string,
  options: { ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

/** State of the reader between two chunks. */
interface SseState {
  /** Bytes of an incomplete line. */
  readonly pending: Pending | undefined;
  /** Whether the last chunk ended with CR, so that a leading LF belongs to the same line end. */
  readonly afterCr: boolean;
  readonly event: string;
  /** Data lines of the incomplete event. */
  readonly data: string | undefined;
  readonly maxEventBytes: number;
}

/** Chunks of one line, the latest first, so that adding one takes constant time. */
interface Pending {
  readonly chunk: Uint8Array;
  readonly before: Pending | undefined;
  /** Total size of all chunks. */
  readonly bytes: number;
}

/** Larger than any vendor's event: an image is a few megabytes of base64. */
export const MAX_EVENT_BYTES = 32 * 1024 * 1024;

/**
 * Reads server-sent events from bytes in chunks of any size, even if a chunk ends inside a character or between CR and LF. Decodes whole
 * lines only, so the decoder keeps no state: CR and LF are never part of another UTF-8 character. Skips comments, ids and retry times, and
 * as the standard says, an incomplete last event. Throws `upstream.broken` for an event larger than the limit given to `start`.
 */
export const sseReader = { start: startReader, step: readChunk };

function startReader(maxEventBytes = MAX_EVENT_BYTES): SseState {
  return { pending: undefined, afterCr: false, event: "", data: undefined, maxEventBytes };
}

// Shared, because a decoder without the stream option keeps no state. It would drop a byte order mark at the start of each call, which
// depends on the chunks, so `plainLines` drops one at the start of every line instead.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const BYTE_ORDER_MARK = "\ufeff";

/** Converts line ends to LF, then drops a byte order mark at the start of each line. In this order, or a mark could hide a CR. */
function plainLines(lines: string): string {
  const ended = lines.includes("\r") ? lines.replace(/\r\n?/g, "\n") : lines;
  return ended.includes(BYTE_ORDER_MARK) ? ended.replace(/(^|\n)\ufeff/g, "$1") : ended;
}

const LF = 10;
const CR = 13;

function readChunk(state: SseState, chunk: Uint8Array): Step<SseState, WireEvent> {
  if (chunk.length === 0) return [state, []];
  const bytes = state.afterCr && chunk[0] === LF ? chunk.subarray(1) : chunk;
  const end = endOfLines(bytes);
  if (end === 0) return [checked({ ...state, afterCr: false, pending: add(state.pending, bytes) }), []];
  const rest = end === bytes.length ? undefined : add(undefined, bytes.subarray(end));
  const lines = end === bytes.length ? bytes : bytes.subarray(0, end);
  const text = decoder.decode(state.pending === undefined ? lines : join(add(state.pending, lines)));
  const events: WireEvent[] = [];
  const fields = readLines(plainLines(text), state, events);
  const afterCr = rest === undefined && bytes[end - 1] === CR;
  return [checked({ ...fields, pending: rest, afterCr, maxEventBytes: state.maxEventBytes }), events];
}

function checked(state: SseState): SseState {
  const { pending, data, maxEventBytes } = state;
  if ((pending?.bytes ?? 0) + (data?.length ?? 0) > maxEventBytes) throw oversizedEvent(maxEventBytes);
  return state;
}

/** Creates the error for an event over the size limit. */
export function oversizedEvent(maxEventBytes: number): LonghaulError {
  const limit = `${Math.floor(maxEventBytes / (1024 * 1024))} MiB`;
  return new LonghaulError("upstream.broken", `an event in the upstream's stream is larger than ${limit}; try again`);
}

function add(before: Pending | undefined, chunk: Uint8Array): Pending {
  return { chunk, before, bytes: (before?.bytes ?? 0) + chunk.length };
}

/** Returns the position after the last line end, or 0. */
function endOfLines(bytes: Uint8Array): number {
  for (let at = bytes.length; at > 0; at--) {
    const byte = bytes[at - 1];
    if (byte === LF || byte === CR) return at;
  }
  return 0;
}

function join(pending: Pending): Uint8Array {
  const joined = new Uint8Array(pending.bytes);
  for (let each: Pending | undefined = pending; each !== undefined; each = each.before) {
    joined.set(each.chunk, each.before?.bytes ?? 0);
  }
  return joined;
}

type Fields = Pick<SseState, "event" | "data">;

/** Reads whole lines, appends the completed events to `events`, and returns the fields of the incomplete one. */
function readLines(lines: string, before: Fields, events: WireEvent[]): Fields {
  let { event, data } = before;
  for (let from = 0, to = lines.indexOf("\n"); to !== -1; from = to + 1, to = lines.indexOf("\n", from)) {
    if (from === to) {
      if (data !== undefined) events.push(event === "" ? { data } : { event, data });
      event = "";
      data = undefined;
    } else if (lines.startsWith("data:", from)) data = addLine(data, fieldValue(lines, from + "data:".length, to));
    else if (lines.startsWith("event:", from)) event = fieldValue(lines, from + "event:".length, to);
  }
  return { event, data };
}

function addLine(data: string | undefined, line: string): string {
  return data === undefined ? line : `${data}\n${line}`;
}

/** Returns a field's value without the one space that may follow the colon. */
function fieldValue(lines: string, from: number, to: number): string {
  return lines.slice(lines.charCodeAt(from) === SPACE ? from + 1 : from, to);
}

const SPACE = 32;

/** Writes one server-sent event. Multi-line data becomes several data lines. */
export function writeSse({ event, data, bare }: WireEvent): string {
  const lines = data.includes("\n") ? data.replaceAll("\n", "\ndata: ") : data;
  const written = event === undefined ? `data: ${lines}\n\n` : `event: ${event}\ndata: ${lines}\n\n`;
  return bare === undefined ? written : `${written}${bare}\n`;
}
