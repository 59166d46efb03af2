import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  tryParseJson,
  type Usage,
} from "@longhaul/conversation/advanced";
import { asBuffer } from "@longhaul/upstream";
import { type Codec, peekField, sseReader } from "@longhaul/wire";

/** Finds the usage in a passing stream without decoding it. */
export interface UsageWatch {
  see(chunk: Uint8Array): void;
  /** Returns the usage that was reported so far. */
  usage(): Usage | undefined;
  /** Whether the model reached the end of its window. */
  isWindowExceeded(): boolean;
}

/** The field name of every format begins like this; inside a text the quote would be escaped. */
const KEY = '"usage';
const NAME = KEY.slice(1);
const QUOTE = 0x22;
const LINE_END = 0x0a;
/** Longer events are not searched. */
const MAX_OPEN_BYTES = 1024 * 1024;

/**
 * Watches a stream. Only the first and the last events with usage are kept, and parsed on demand: Anthropic reports the prompt in the first
 * and the rest in the last, the others report everything in the last.
 */
export function watchStream(codec: Codec): UsageWatch {
  /** The chunks of the incomplete event. */
  let open: Uint8Array[] = [];
  let openBytes = 0;
  let first: Buffer | undefined;
  let last: Buffer | undefined;
  return {
    see: (chunk) => {
      if (openBytes + chunk.length > MAX_OPEN_BYTES) [open, openBytes] = [[], 0];
      open.push(chunk);
      openBytes += chunk.length;
      const end = endOfEvents(asBuffer(chunk));
      if (end === 0) return;
      const events = open.length === 1 ? asBuffer(chunk) : Buffer.concat(open);
      openBytes = chunk.length - end;
      open = openBytes === 0 ? [] : [chunk.subarray(end)];
      if (!mentionsUsage(events)) return;
      first ??= events;
      last = events;
    },
    isWindowExceeded: () => last !== undefined && endsFull(last),
    usage: () => {
      const kept = [first, last, Buffer.concat(open)];
      const reports = kept.flatMap((events) => (events === undefined ? [] : reportsIn(events)));
      return usageOf(codec, reports);
    },
  };
}

/** Searches without the quote: Node looks for the first byte of a short text, and quotes are frequent in JSON. This takes a tenth of the time. */
function mentionsUsage(events: Buffer): boolean {
  for (let at = events.indexOf(NAME); at !== -1; at = events.indexOf(NAME, at + 1)) {
    if (events[at - 1] === QUOTE) return true;
  }
  return false;
}

/** Anthropic's stop reason for a full window. */
const WINDOW_EXCEEDED = '"stop_reason":"model_context_window_exceeded"';

/** Whether an answer ends because the window was full. */
export function endsFull(body: Uint8Array): boolean {
  return asBuffer(body).includes(WINDOW_EXCEEDED);
}

export function wholeUsage(body: Uint8Array, codec: Codec): Usage | undefined {
  return usageOf(codec, [reportAt(body, "usage") ?? reportAt(body, "usageMetadata")]);
}

/** Returns the position after the last empty line, or 0. An empty line that is cut between two chunks is missed; the next one counts. */
function endOfEvents(chunk: Buffer): number {
  // Most chunks end with an event, so the search below is rarely needed.
  if (chunk.at(-1) === LINE_END && chunk.at(-2) === LINE_END) return chunk.length;
  const at = Math.max(chunk.lastIndexOf("\n\n"), chunk.lastIndexOf("\n\r\n"));
  return at === -1 ? 0 : chunk.indexOf("\n", at + 1) + 1;
}

function reportsIn(events: Buffer): (JsonValue | undefined)[] {
  const [, found] = sseReader.step(sseReader.start(), events);
  return found.filter(({ data }) => data.includes(KEY)).map(({ data }) => reportIn(tryParseJson(data)));
}

/** Finds the usage in the event itself, or in its message, response, choice (Moonshot) or x_groq (Groq). */
function reportIn(event: unknown): JsonValue | undefined {
  if (!isJsonObject(event)) return undefined;
  const choice = Array.isArray(event.choices) ? event.choices[0] : undefined;
  const carriers = [event.message, event.response, event.x_groq, choice].filter(isJsonObject);
  return event.usage ?? event.usageMetadata ?? carriers.find(({ usage }) => isJsonObject(usage))?.usage;
}

function reportAt(body: Uint8Array, field: string): unknown {
  const span = peekField(body, field, "");
  return span && tryParseJson(asBuffer(body.subarray(span.from, span.to)).toString());
}

/** Merges the reports; a later one overrides the fields that it has. */
function usageOf(codec: Codec, reports: readonly unknown[]): Usage | undefined {
  const objects = reports.filter(isJsonObject);
  const [only] = objects;
  if (only === undefined) return undefined;
  if (objects.length === 1) return codec.decodeUsage(only);
  const figures = objects.flatMap((report) => Object.entries(report).filter(([, value]) => value !== null));
  const merged: JsonObject = Object.fromEntries(figures);
  return codec.decodeUsage(merged);
}
