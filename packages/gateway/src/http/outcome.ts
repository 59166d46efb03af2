import { LonghaulError, type WireId } from "@longhaul/conversation";
import { mediaKind } from "@longhaul/upstream";
import { codecOf, sseReader } from "@longhaul/wire";
import type { Endpoint } from "../request/endpoints.ts";

/** The answer that a client gets. */
export interface Outcome {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The whole body, or its chunks as they arrive. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
  /** Whether the body is a stream of events, so that pings can be inserted between them. */
  readonly isStream: boolean;
}

/** Headers of every answer except the admin API's: browsers must not sniff its type, run it, or let it act at the dashboard's origin. */
export const INERT_HEADERS = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; sandbox",
} as const;

export function jsonOutcome(value: object, status = 200, headers: Outcome["headers"] = {}): Outcome {
  return jsonTextOutcome(JSON.stringify(value), status, headers);
}

export function jsonTextOutcome(json: string, status: number, headers: Outcome["headers"] = {}): Outcome {
  const body = Buffer.from(json);
  return { status, headers: { "content-type": "application/json", ...headers }, body, isStream: false };
}

/** Writes an error of the gateway in the client's dialect. */
export function errorOutcome(wire: WireId, error: LonghaulError, redact: (text: string) => string): Outcome {
  const { status, body } = codecOf(wire).encodeError(error);
  const { retryAfterMs } = error;
  const retry = retryAfterMs === undefined ? {} : { "retry-after": String(Math.ceil(retryAfterMs / 1_000)) };
  return jsonTextOutcome(redact(JSON.stringify(body)), status, retry);
}

/**
 * Makes an answer of the model API safe to open at the dashboard's origin: browsers download files instead of showing them. An unexpected
 * type, such as HTML, throws `upstream.broken` unless the client asked for a file's content.
 */
export async function withSafeType(outcome: Outcome, isFileAsked: boolean): Promise<Outcome> {
  const { headers, body } = outcome;
  const type = headers["content-type"];
  const kind = mediaKind(type);
  if (kind === "data") return outcome;
  if (kind === "unexpected" && !isFileAsked) {
    if (!(body instanceof Uint8Array)) await body[Symbol.asyncIterator]().return?.();
    throw new LonghaulError(
      "upstream.broken",
      "the upstream returned a content type that no model API uses; check its baseUrl",
    );
  }
  const replaced = kind === "unexpected" ? { "content-type": "application/octet-stream" } : {};
  return { ...outcome, headers: { ...headers, ...replaced, "content-disposition": dispositionOf(headers) } };
}

/** Keeps the upstream's value if it is an attachment, because it may contain the file name. */
function dispositionOf({ "content-disposition": given = "" }: Outcome["headers"]): string {
  return /^attachment\s*(?:;|$)/i.test(given) ? given : "attachment";
}

/** Whether a client reads a stream as one JSON array. Gemini's do without `alt=sse`. */
export function wantsList({ wire }: Endpoint, query: string): boolean {
  return codecOf(wire).api.streamsList?.(new URLSearchParams(query)) ?? false;
}

/** Turns a stream of events into a JSON array of their data. */
export function asList(outcome: Outcome): Outcome {
  const headers = { ...outcome.headers, "content-type": "application/json; charset=UTF-8" };
  return { ...outcome, headers, body: listOf(outcome.body), isStream: false };
}

async function* listOf(body: Outcome["body"]): AsyncGenerator<Uint8Array> {
  let reading = sseReader.start();
  let before = "[";
  for await (const chunk of body instanceof Uint8Array ? [body] : body) {
    const [next, events] = sseReader.step(reading, chunk);
    reading = next;
    for (const { data } of events) {
      yield Buffer.from(`${before}${data}`);
      before = ",\r\n";
    }
  }
  yield Buffer.from(before === "[" ? "[]" : "]");
}
