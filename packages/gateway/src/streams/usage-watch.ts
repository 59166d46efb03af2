import { isJsonObject, type JsonObject, type JsonValue, parseJsonText, type Usage } from "@longhaul/conversation";
import { asBuffer } from "@longhaul/upstream";
import { type Codec, peekField, sseReader } from "@longhaul/wire";

/** Finds the usage in an answer that goes by, without reading the rest. */
export interface UsageWatch {
  see(chunk: Uint8Array): void;
  /** What was reported so far. */
  usage(): Usage | undefined;
  /** Whether the model ran into the end of its window. */
  isWindowExceeded(): boolean;
}

/** Every format's name for it begins like this; inside a text the quote would be escaped. */
const KEY = '"usage';
const NAME = KEY.slice(1);
const QUOTE = 0x22;
const LINE_END = 0x0a;
/** An event that is longer than this is not looked into. */
const MAX_OPEN_BYTES = 1024 * 1024;

/**
 * Watches a stream. Of all its events only the first and the last that hold usage are kept, and read when somebody asks: Anthropic reports
 * the prompt in the first and the rest in the last, the others report everything in the last.
 */
export function watchStream(codec: Codec): UsageWatch {
  /** The chunks of the event that has not ended yet. */
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

/** Node looks for the first byte of so short a text. Quotes are everywhere in JSON: without it the search takes a tenth of the time. */
function mentionsUsage(events: Buffer): boolean {
  for (let at = events.indexOf(NAME); at !== -1; at = events.indexOf(NAME, at + 1)) {
    if (events[at - 1] === QUOTE) return true;
  }
  return false;
}

/** How Anthropic says that the window was full before the answer was. */
const WINDOW_EXCEEDED = '"stop_reason":"model_context_window_exceeded"';

/** Whether an answer ends because the window was full. */
export function endsFull(body: Uint8Array): boolean {
  return asBuffer(body).includes(WINDOW_EXCEEDED);
}

/** The usage in an answer that came as one whole body. */
export function wholeUsage(body: Uint8Array, codec: Codec): Usage | undefined {
  return usageOf(codec, [reportAt(body, "usage") ?? reportAt(body, "usageMetadata")]);
}

/** One past the last empty line, which ends an event, or 0. One that is cut between two chunks is missed: then the next one counts. */
function endOfEvents(chunk: Buffer): number {
  // Most chunks end where an event does; the search for the other spelling would read all of them.
  if (chunk.at(-1) === LINE_END && chunk.at(-2) === LINE_END) return chunk.length;
  const at = Math.max(chunk.lastIndexOf("\n\n"), chunk.lastIndexOf("\n\r\n"));
  return at === -1 ? 0 : chunk.indexOf("\n", at + 1) + 1;
}

function reportsIn(events: Buffer): (JsonValue | undefined)[] {
  const [, found] = sseReader.step(sseReader.start(), events);
  return found.filter(({ data }) => data.includes(KEY)).map(({ data }) => reportIn(parsed(data)));
}

/** Where the formats say it: in the event itself, or in the message, response or choice (Moonshot) that it carries; Groq has a place of its own. */
function reportIn(event: unknown): JsonValue | undefined {
  if (!isJsonObject(event)) return undefined;
  const choice = Array.isArray(event.choices) ? event.choices[0] : undefined;
  const carriers = [event.message, event.response, event.x_groq, choice].filter(isJsonObject);
  return event.usage ?? event.usageMetadata ?? carriers.find(({ usage }) => isJsonObject(usage))?.usage;
}

function reportAt(body: Uint8Array, field: string): unknown {
  const span = peekField(body, field, "");
  return span && parsed(asBuffer(body.subarray(span.from, span.to)).toString());
}

function parsed(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}

/** A later report replaces the figures that it has. */
function usageOf(codec: Codec, reports: readonly unknown[]): Usage | undefined {
  const told = reports.filter(isJsonObject);
  const [only] = told;
  if (only === undefined) return undefined;
  if (told.length === 1) return codec.decodeUsage(only);
  const figures = told.flatMap((report) => Object.entries(report).filter(([, value]) => value !== null));
  const merged: JsonObject = Object.fromEntries(figures);
  return codec.decodeUsage(merged);
}
