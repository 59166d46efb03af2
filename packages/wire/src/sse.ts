import type { Step, WireEvent } from "./codec.ts";

// Part of every JavaScript runtime that Longhaul runs on, but of none of the ECMAScript libraries that pure code is compiled with.
declare const TextDecoder: new (
  label: string,
  options: { ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

/** What a reader of server-sent events knows between two chunks. */
export interface SseState {
  /** The bytes of a line that has not ended yet, in the chunks that they came in. */
  readonly pending: readonly Uint8Array[];
  /** Whether the last line ended with CR as the last byte of its chunk, so that a LF may still belong to it. */
  readonly afterCr: boolean;
  readonly event: string;
  /** The data lines of the event that has not ended yet. */
  readonly data: string | undefined;
}

/**
 * Reads server-sent events from bytes, however they are cut: inside a character, between CR and LF, in the middle of a line. Bytes are
 * decoded in whole lines (neither CR nor LF is ever part of another UTF-8 character), so no decoder state is carried from chunk to
 * chunk. Comments, ids and retry times are skipped; an event that the input ends in the middle of is not given, as the standard says.
 */
export const sseReader = { start: startReader, step: readChunk };

function startReader(): SseState {
  return { pending: [], afterCr: false, event: "", data: undefined };
}

// Shared, because without the stream option a decoder keeps nothing from one call to the next. It would leave out a byte order mark at the
// beginning of each call, so that the place of a cut would decide: every line may begin with one instead.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const utf8 = { decode: (lines: Uint8Array): string => withoutMarks(decoder.decode(lines)) };

/** A CR must not meet the LF that may follow the mark. */
function asLineEnd(marked: string): string {
  return marked === BYTE_ORDER_MARK ? "" : "\n";
}

const BYTE_ORDER_MARK = "\ufeff";

function withoutMarks(lines: string): string {
  return lines.includes(BYTE_ORDER_MARK) ? lines.replace(/^\ufeff|(?:\r\n?|\n)\ufeff/g, asLineEnd) : lines;
}

const LF = 10;
const CR = 13;

function readChunk(state: SseState, chunk: Uint8Array): Step<SseState, WireEvent> {
  if (chunk.length === 0) return [state, []];
  const bytes = state.afterCr && chunk[0] === LF ? chunk.subarray(1) : chunk;
  const end = endOfLines(bytes);
  const rest = end === bytes.length ? [] : [bytes.subarray(end)];
  if (end === 0) return [{ ...state, afterCr: false, pending: [...state.pending, ...rest] }, []];
  const lines = end === bytes.length ? bytes : bytes.subarray(0, end);
  const text = utf8.decode(state.pending.length === 0 ? lines : join([...state.pending, lines]));
  const events: WireEvent[] = [];
  const { event, data } = readLines(text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text, state, events);
  return [{ pending: rest, afterCr: rest.length === 0 && bytes[end - 1] === CR, event, data }, events];
}

/** One past the last byte that ends a line. */
function endOfLines(bytes: Uint8Array): number {
  for (let at = bytes.length; at > 0; at--) {
    const byte = bytes[at - 1];
    if (byte === LF || byte === CR) return at;
  }
  return 0;
}

function join(chunks: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.length;
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
