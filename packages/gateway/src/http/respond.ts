import type { ServerResponse } from "node:http";
import type { LonghaulError } from "@longhaul/conversation";
import { codecOf } from "@longhaul/wire";
import { type Endpoint, guessWire } from "../request/endpoints.ts";
import type { Arrived } from "../request/request-context.ts";
import { REQUEST_ID_HEADER } from "../request/request-record.ts";
import type { Exchange } from "./exchange.ts";
import { asksForWebSocket } from "./guard.ts";
import { asList, errorOutcome, INERT_HEADERS, type Outcome, wantsList, withSafeType } from "./outcome.ts";
import { sendPage } from "./pages.ts";

/** Sends an outcome to the client. Resolves when the last byte was handed to the network. */
export async function respond(
  { response, context }: Exchange,
  { endpoint, query }: Arrived,
  outcome: Outcome,
): Promise<void> {
  const { record } = context;
  const safe = await withSafeType(outcome, endpoint.passed?.isFile === true);
  const sent = safe.isStream && wantsList(endpoint, query) ? asList(safe) : safe;
  const onFirstByte = () => {
    record.firstByteMs = performance.now() - record.startedMs;
  };
  await sendOutcome(response, sent, { id: record.id, ping: sent.isStream ? pingOf(endpoint) : "", onFirstByte });
}

/** Sends an error in the client's dialect. If the answer has begun, the connection is closed instead; a client that has gone gets nothing. */
export async function respondError(exchange: Exchange, error: LonghaulError): Promise<void> {
  const { request, response, context } = exchange;
  const { record, snapshot, signal } = context;
  if (signal.aborted) return;
  record.error = error;
  if (asksForWebSocket(request.headers)) response.setHeader("connection", "close");
  const wire = record.endpoint?.wire ?? guessWire(request.url ?? "", request.headers);
  if (response.headersSent) response.destroy();
  else if (wire === undefined) {
    const { status, code, message } = error;
    sendPage(withRequestId(exchange), { status, body: { error: { code, message } } });
  } else await sendOutcome(response, errorOutcome(wire, error, snapshot.redact), { id: record.id, ping: "" });
}

export function withRequestId({ response, context }: Exchange): ServerResponse {
  return response.setHeader(REQUEST_ID_HEADER, context.record.id);
}

/** Returns the ping of a format; a comment if the format has no such event. */
function pingOf({ wire }: Endpoint): string {
  const codec = codecOf(wire);
  const [, [event]] = codec.encodeStream.step(codec.encodeStream.start(), { type: "ping" });
  return event === undefined ? ": ping\n\n" : `event: ${event.event ?? "ping"}\ndata: ${event.data}\n\n`;
}

/** How long a stream may be silent before a ping is sent. */
const PING_AFTER_MS = 15_000;

export interface SendOptions {
  readonly id: string;
  /** The bytes of a ping in the client's format. */
  readonly ping: string;
  readonly pingAfterMs?: number;
  /** Called when the first byte of the body is sent. */
  readonly onFirstByte?: () => void;
}

/**
 * Sends an outcome no faster than the client reads. If the client disconnects, the loop ends, and with it the upstream call. Resolves when
 * everything was handed to the network.
 */
export async function sendOutcome(response: ServerResponse, outcome: Outcome, options: SendOptions): Promise<void> {
  const { status, body } = outcome;
  // In one call, because setting headers one by one takes four times as long.
  const headers = { ...outcome.headers, ...INERT_HEADERS, [REQUEST_ID_HEADER]: options.id };
  let { onFirstByte } = options;
  if (body instanceof Uint8Array) {
    response.writeHead(status, { ...headers, "content-length": body.length });
    response.end(body);
    onFirstByte?.();
    return;
  }
  response.writeHead(status, headers);
  const pinger = outcome.isStream ? startPinging(response, options) : undefined;
  try {
    for await (const chunk of body) {
      if (response.destroyed) break;
      pinger?.wrote(chunk);
      onFirstByte?.();
      onFirstByte = undefined;
      if (!response.write(chunk)) await drained(response);
    }
  } finally {
    pinger?.stop();
    response.end();
  }
}

/** Resolves when the client has read enough or has disconnected. */
function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.on("drain", done);
    response.on("close", done);
  });
}

/** Sends pings only between two events, never inside one. */
function startPinging(response: ServerResponse, { ping, pingAfterMs = PING_AFTER_MS }: SendOptions) {
  let isBetween = true;
  const timer = setInterval(() => {
    if (isBetween && !response.destroyed && !response.writableNeedDrain) response.write(ping);
  }, pingAfterMs);
  return {
    wrote: (chunk: Uint8Array) => {
      isBetween = endsEvent(chunk);
      timer.refresh();
    },
    stop: () => clearInterval(timer),
  };
}

const LF = 0x0a;
const CR = 0x0d;

function endsEvent(chunk: Uint8Array): boolean {
  const last = chunk.at(-1);
  if (last !== LF) return false;
  const before = chunk.at(-2);
  return before === LF || (before === CR && chunk.at(-3) === LF);
}
