import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as waitFor } from "node:timers/promises";
import type { Admin } from "@longhaul/admin";
import { LonghaulError } from "@longhaul/conversation";
import type { Scanner } from "@longhaul/fit";
import { adminAddress } from "@longhaul/settings";
import { flatHeaders } from "@longhaul/upstream";
import { codecOf } from "@longhaul/wire";
import type { Snapshots } from "./configuration/snapshot.ts";
import { type Exchange, openExchange } from "./exchange.ts";
import { type Endpoint, findEndpoint, guessWire } from "./http/endpoints.ts";
import type { BodyClaim } from "./http/gate.ts";
import { checkHead, hasKeyHeader, hostsOf, type Location } from "./http/guard.ts";
import { asList, wantsList, withSafeType } from "./http/outcome.ts";
import { type PagesContext, pageAt, sendPage } from "./http/pages.ts";
import { takeKey } from "./http/query-key.ts";
import { readBody } from "./http/read-body.ts";
import { REQUEST_ID_HEADER } from "./http/request-id.ts";
import { sendOutcome } from "./http/send-outcome.ts";
import { asksForWebSocket, findSocketEndpoint, noWebSocket } from "./http/upgrade.ts";
import type { Access } from "./keys/open-access.ts";
import type { Memory } from "./memory.ts";
import type { Observing } from "./observing.ts";
import { serve } from "./pipeline.ts";
import { asError, translateError } from "./stages/translate-error.ts";
import { tellExchange } from "./tell-exchange.ts";

/** What answering takes from outside. */
export interface AnswerContext extends PagesContext {
  /** The admin API and its pages. @default there are none */
  readonly admin?: Admin | undefined;
  readonly access: Access;
  readonly snapshots: Snapshots;
  readonly memory: Memory;
  readonly scanner: Scanner;
  /** Who is told. @default nobody */
  readonly observing?: Observing | undefined;
}

const MIB = 1024 * 1024;

/** Answers one HTTP request. Never rejects: whatever goes wrong becomes an answer. */
export async function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  context: AnswerContext,
): Promise<void> {
  const { snapshot, leave } = context.snapshots.enter();
  try {
    await answerExchange(openExchange(request, response, snapshot), context);
  } finally {
    leave();
  }
}

async function answerExchange(exchange: Exchange, context: AnswerContext): Promise<void> {
  const { request, snapshot } = exchange;
  let endpoint: Endpoint | undefined;
  try {
    const { server } = snapshot.config;
    const { host } = context.side === "operator" ? adminAddress(server) : server;
    const { origin } = request.headers;
    const head = { target: request.url ?? "/", hosts: hostsOf(request), origin, hasKey: hasKeyHeader(request.headers) };
    const location = checkHead(head, [host, ...server.hosts]);
    const page = await pageAt({ request, path: location.path, host }, context);
    if (page !== undefined) return sendPage(named(exchange), page);
    if (isAdminAnswered(exchange, location, context)) return;
    endpoint = endpointAt(request, location, context);
    if (asksForWebSocket(request.headers)) throw noWebSocket();
    if (request.headers["sec-fetch-mode"] === "navigate") throw new LonghaulError("auth.denied", NAVIGATED);
    await answerCall(exchange, { endpoint, location }, context);
  } catch (error) {
    await answerError(exchange, endpoint, asError(error));
  }
  tell(exchange, endpoint, context);
}

const NAVIGATED = "a browser cannot open a path of the model API as a page; call it from a program";

/** The answer is out: who is told, and fails at it, costs nobody anything more than that. */
function tell(exchange: Exchange, endpoint: Endpoint | undefined, { observing }: AnswerContext): void {
  try {
    tellExchange(exchange, endpoint, observing?.observer);
  } catch (error) {
    exchange.snapshot.log.bug(error, exchange.id);
  }
}

/** Not waited for: the configuration that was in force when a page began to listen is not kept for that. */
function isAdminAnswered(exchange: Exchange, { path }: Location, { admin, side }: AnswerContext): boolean {
  const { request } = exchange;
  const isCall = request.method === "POST" && !path.startsWith("/api");
  if (isCall || side === "clients" || admin === undefined) return false;
  return admin.answer(request, named(exchange), path);
}

/** Returns an exchange's response with the id in its headers. */
function named({ id, response }: Exchange): ServerResponse {
  return response.setHeader(REQUEST_ID_HEADER, id);
}

function endpointAt(
  { method = "GET", headers }: IncomingMessage,
  { path }: Location,
  { side }: AnswerContext,
): Endpoint {
  if (side === "operator") throw new LonghaulError("route.unknown", `only the admin API is here, not ${path}`);
  const endpoint = asksForWebSocket(headers) ? findSocketEndpoint(path) : findEndpoint(method, path, headers);
  if (endpoint !== undefined) return endpoint;
  const other = ["POST", "GET"].find((name) => findEndpoint(name, path, headers) !== undefined);
  const advice = other === undefined ? "GET /healthz shows whether the gateway is up" : `send it as ${other}`;
  throw new LonghaulError("route.unknown", `nothing is served at ${method} ${path}; ${advice}`);
}

interface Place {
  readonly endpoint: Endpoint;
  readonly location: Location;
}

async function answerCall(exchange: Exchange, { endpoint, location }: Place, context: AnswerContext): Promise<void> {
  const { id, request, response, snapshot, note, startedMs } = exchange;
  const leave = context.gate.enter();
  const claim = context.gate.openBody();
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  try {
    const said = takeKey(flatHeaders(request.headers), location.query, endpoint.wire);
    const served = await serve(
      { id, endpoint, ...said, readBody: () => receive(exchange, { endpoint, claim }, context) },
      {
        snapshot,
        access: context.access,
        memory: context.memory,
        observer: context.observing?.observer,
        note,
        signal: gone.signal,
        random: Math.random,
        wait: (ms, signal) => waitFor(ms, undefined, { signal }),
        nowSeconds: () => Math.floor(Date.now() / 1_000),
      },
    );
    const safe = await withSafeType(served, endpoint.passed?.isFile === true);
    const outcome = safe.isStream && wantsList(endpoint, location.query) ? asList(safe) : safe;
    const onFirstByte = () => note({ firstByteMs: performance.now() - startedMs });
    await sendOutcome(response, outcome, { id, ping: outcome.isStream ? pingOf(endpoint) : "", onFirstByte });
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  } finally {
    note({ isGone: gone.signal.aborted });
    claim.release();
    leave();
  }
}

/** The body, all of it. */
async function receive(
  { request, snapshot, note, startedMs }: Exchange,
  { endpoint, claim }: { readonly endpoint: Endpoint; readonly claim: BodyClaim },
  { scanner }: AnswerContext,
): Promise<Uint8Array> {
  const { server, contents } = snapshot.config;
  const limitBytes = server.bodyLimitMiB * MIB;
  const came = await readBody(request, { limitBytes, timeoutMs: server.requestTimeoutSeconds * 1_000, claim });
  note({ receivedMs: performance.now() - startedMs });
  const body = await scanner.scan(came, endpoint);
  if (contents.keep !== "off") note({ received: body });
  return body;
}

async function answerError(exchange: Exchange, endpoint: Endpoint | undefined, error: LonghaulError): Promise<void> {
  const { request, response, snapshot, note } = exchange;
  note({ error });
  if (asksForWebSocket(request.headers)) response.setHeader("connection", "close");
  const wire = endpoint?.wire ?? guessWire(request.url ?? "", request.headers);
  if (response.headersSent) response.destroy();
  else if (wire === undefined) sendPage(named(exchange), { status: error.status, body: plainError(error) });
  else await sendOutcome(response, translateError(wire, error, snapshot.redact), { id: exchange.id, ping: "" });
}

/** What a format's clients take for a sign of life; a comment where the format has no event for it. */
function pingOf({ wire }: Endpoint): string {
  const codec = codecOf(wire);
  const [, events] = codec.encodeStream.step(codec.encodeStream.start(), { type: "ping" });
  const event = events[0];
  return event === undefined ? ": ping\n\n" : `event: ${event.event ?? "ping"}\ndata: ${event.data}\n\n`;
}

function plainError({ code, message }: LonghaulError): object {
  return { error: { code, message } };
}
