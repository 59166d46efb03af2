import { LonghaulError } from "@longhaul/conversation";
import type { Step, WireEvent } from "../codec/stepper.ts";

// Part of every JavaScript runtime that Longhaul runs on, but of none of the ECMAScript libraries that pure code is compiled with.
declare const TextDecoder: new (
  label: string,
  options: { ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

/** What a reader of server-sent events knows between two chunks. */
export interface SseState {
  /** The bytes of a line that has not ended yet; absent between two lines. */
  readonly pending: Pending | undefined;
  /** Whether the last line ended with CR as the last byte of its chunk, so that a LF may still belong to it. */
  readonly afterCr: boolean;
  readonly event: string;
  /** The data lines of the event that has not ended yet. */
  readonly data: string | undefined;
  /** One event may have at most this many bytes. */
  readonly maxEventBytes: number;
}

/** Chunks of one line, the latest first, so that adding one costs the same however many there are. */
interface Pending {
  readonly chunk: Uint8Array;
  readonly before: Pending | undefined;
  /** Bytes of all of them. */
  readonly bytes: number;
}

/** Larger than any event of a vendor: images come as a few megabytes of base64. */
export const MAX_EVENT_BYTES = 32 * 1024 * 1024;

/**
 * Reads server-sent events from bytes, however they are cut: inside a character, between CR and LF, in the middle of a line. Bytes are
 * decoded in whole lines (neither CR nor LF is ever part of another UTF-8 character), so no decoder state is carried from chunk to
 * chunk. Comments, ids and retry times are skipped; an event that the input ends in the middle of is not given, as the standard says. An
 * event with more bytes than `start` allows throws `upstream.broken`.
 */
export const sseReader = { start: startReader, step: readChunk };

function startReader(maxEventBytes = MAX_EVENT_BYTES): SseState {
  return { pending: undefined, afterCr: false, event: "", data: undefined, maxEventBytes };
}

// Shared, because without the stream option a decoder keeps nothing from one call to the next. It would leave out a byte order mark at the
// beginning of each call, so that the place of a cut would decide: every line may begin with one instead.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const BYTE_ORDER_MARK = "\ufeff";

/** Ends every line with LF alone, and leaves out a byte order mark at the beginning of any: in this order, or a mark would hide a CR. */
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

/** The error for a stream with an event that is larger than the limit. */
export function oversizedEvent(maxEventBytes: number): LonghaulError {
  const limit = `${Math.floor(maxEventBytes / (1024 * 1024))} MiB`;
  return new LonghaulError("upstream.broken", `one event of the upstream's stream is larger than ${limit}; try again`);
}

function add(before: Pending | undefined, chunk: Uint8Array): Pending {
  return { chunk, before, bytes: (before?.bytes ?? 0) + chunk.length };
}

/** One past the last byte that ends a line. */
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

/** Reads whole lines, puts the events that end in them into `events`, and returns the fields of the one that doesn't. */
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

/** One space after the colon is not part of the value. */
function fieldValue(lines: string, from: number, to: number): string {
  return lines.slice(lines.charCodeAt(from) === SPACE ? from + 1 : from, to);
}

const SPACE = 32;

/** Writes one server-sent event; data of several lines becomes several data lines. */
export function writeSse({ event, data, bare }: WireEvent): string {
  const lines = data.includes("\n") ? data.replaceAll("\n", "\ndata: ") : data;
  const spelled = event === undefined ? `data: ${lines}\n\n` : `event: ${event}\ndata: ${lines}\n\n`;
  return bare === undefined ? spelled : `${spelled}${bare}\n`;
}
