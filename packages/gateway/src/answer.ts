import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as waitFor } from "node:timers/promises";
import { LonghaulError } from "@longhaul/conversation";
import { codecOf } from "@longhaul/wire";
import { type Endpoint, findEndpoint } from "./http/endpoints.ts";
import type { Gate } from "./http/gate.ts";
import { checkHead, type Location } from "./http/guard.ts";
import { takeKey } from "./http/query-key.ts";
import { readBody } from "./http/read-body.ts";
import { makeRequestId } from "./http/request-id.ts";
import { sendOutcome } from "./http/send-outcome.ts";
import type { Memory } from "./memory.ts";
import { serve } from "./pipeline.ts";
import type { Snapshot } from "./snapshot.ts";
import { asError, translateError } from "./stages/translate.ts";

/** What answering takes from outside. */
export interface AnswerContext {
  /** The configuration in force; another one after a reload. */
  readonly snapshot: () => Snapshot;
  readonly gate: Gate;
  readonly memory: Memory;
  /** Told of what went wrong inside, which clients are not. */
  readonly onBug: (error: unknown, requestId: string) => void;
}

const MIB = 1024 * 1024;

/** Answers one HTTP request. Never rejects: whatever goes wrong becomes an answer. */
export async function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  context: AnswerContext,
): Promise<void> {
  const id = makeRequestId();
  response.setHeader("x-longhaul-request-id", id);
  let wire: string | undefined;
  try {
    const location = checkHead(
      { target: request.url ?? "/", hosts: hostsOf(request) },
      context.snapshot().config.server.hosts,
    );
    const page = pageAt(request.method ?? "GET", location.path, context);
    if (page !== undefined) return sendJson(response, page.status, page.body);
    const endpoint = findEndpoint(request.method ?? "GET", location.path, request.headers);
    if (endpoint === undefined) throw notServed(`${request.method} ${location.path}`);
    wire = endpoint.wire;
    await answerCall({ request, response, id, endpoint, location }, context);
  } catch (error) {
    const known = asError(error);
    if (known.code === "internal.bug") context.onBug(error, id);
    if (response.headersSent) response.destroy();
    else if (wire === undefined) sendJson(response, known.status, plainError(known));
    else await sendOutcome(response, translateError(wire, known), { ping: "" });
  }
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly id: string;
  readonly endpoint: Endpoint;
  readonly location: Location;
}

async function answerCall(
  { request, response, id, endpoint, location }: Exchange,
  context: AnswerContext,
): Promise<void> {
  const leave = context.gate.enter();
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  try {
    const snapshot = context.snapshot();
    const body = await readBody(request, snapshot.config.server.bodyLimitMiB * MIB);
    const received = {
      id,
      endpoint,
      body,
      ...takeKey(headersOf(request), location.query),
    };
    const outcome = await serve(received, {
      snapshot,
      memory: context.memory,
      signal: gone.signal,
      random: Math.random,
      wait: (ms, signal) => waitFor(ms, undefined, { signal }),
      nowSeconds: () => Math.floor(Date.now() / 1_000),
    });
    await sendOutcome(response, outcome, { ping: pingOf(endpoint) });
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  } finally {
    leave();
  }
}

/** What a format's clients take for a sign of life; a comment where the format has no event for it. */
function pingOf({ wire }: Endpoint): string {
  const codec = codecOf(wire);
  const [, events] = codec.encodeStream.step(codec.encodeStream.start(), { type: "ping" });
  const event = events[0];
  return event === undefined ? ": ping\n\n" : `event: ${event.event ?? "ping"}\ndata: ${event.data}\n\n`;
}

interface Page {
  readonly status: number;
  readonly body: object;
}

/** What is answered without a model. */
function pageAt(method: string, path: string, { gate }: AnswerContext): Page | undefined {
  if (method !== "GET" && method !== "HEAD") return undefined;
  if (path === "/healthz") return { status: 200, body: { status: "ok" } };
  if (path === "/readyz")
    return gate.isClosing ? { status: 503, body: { status: "stopping" } } : { status: 200, body: { status: "ready" } };
  const isProbe = method === "HEAD" && (path === "/" || path === "/api/hello");
  return isProbe ? { status: 200, body: {} } : undefined;
}

function notServed(place: string): LonghaulError {
  return new LonghaulError(
    "route.unknown",
    `nothing is served at ${place}; GET /healthz tells whether the gateway is up`,
  );
}

function plainError({ code, message }: LonghaulError): object {
  return { error: { code, message } };
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  response.end(text);
}

/** Node joins or drops headers that come twice; the guard wants to see every Host. */
function hostsOf({ rawHeaders }: IncomingMessage): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === "host");
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat().join(", ")] as const],
  );
  return Object.fromEntries(entries);
}
