import type { IncomingMessage } from "node:http";
import { LonghaulError, type WireId } from "@longhaul/conversation";
import { adminAddress } from "@longhaul/settings";
import { flatHeaders } from "@longhaul/upstream";
import { codecOf } from "@longhaul/wire";
import { type Endpoint, findEndpoint } from "../request/endpoints.ts";
import type { Arrived } from "../request/request-context.ts";
import type { Exchange, ServerContext } from "./exchange.ts";
import { asksForWebSocket, checkHead, hasKeyHeader, hostsOf, type Location } from "./guard.ts";
import { pageAt, sendPage } from "./pages.ts";
import { readBody } from "./read-body.ts";
import { withRequestId } from "./respond.ts";

/**
 * Checks a request's head and resolves its endpoint. Returns undefined if a page or the admin API has answered. Throws if the head is not
 * acceptable, the path is not served, or the gateway is overloaded.
 */
export async function arrive(exchange: Exchange): Promise<Arrived | undefined> {
  const { request, context, server } = exchange;
  const location = checkLocation(exchange);
  if (await isAnsweredElsewhere(exchange, location)) return undefined;
  const endpoint = endpointAt(request, location, server);
  context.record.endpoint = endpoint;
  if (asksForWebSocket(request.headers)) throw noWebSocket();
  if (request.headers["sec-fetch-mode"] === "navigate") throw new LonghaulError("auth.denied", NAVIGATED);
  exchange.onClose(server.gate.enter());
  const { headers, query } = takeKey(flatHeaders(request.headers), location.query, endpoint.wire);
  return { id: context.record.id, endpoint, headers, query, readBody: () => receiveBody(exchange, endpoint) };
}

const NAVIGATED = "the model API cannot be opened as a page in a browser; call it from a program";

function checkLocation({ request, context, server: { side } }: Exchange): Location {
  const { server } = context.snapshot.config;
  const { host } = side === "operator" ? adminAddress(server) : server;
  const { url = "/", headers } = request;
  const head = { target: url, hosts: hostsOf(request), origin: headers.origin, hasKey: hasKeyHeader(headers) };
  return checkHead(head, [host, ...server.hosts]);
}

/** Answers pages and the admin API. The admin API is not awaited: its streams would keep the current configuration open. */
async function isAnsweredElsewhere(exchange: Exchange, { path }: Location): Promise<boolean> {
  const { request, context, server } = exchange;
  const { server: config } = context.snapshot.config;
  const { host } = server.side === "operator" ? adminAddress(config) : config;
  const page = await pageAt({ request, path, host }, server);
  if (page !== undefined) {
    sendPage(withRequestId(exchange), page);
    return true;
  }
  const isCall = request.method === "POST" && !path.startsWith("/api");
  if (isCall || server.side === "clients" || server.admin === undefined) return false;
  return server.admin.answer(request, withRequestId(exchange), path);
}

function endpointAt({ method = "GET", headers }: IncomingMessage, { path }: Location, { side }: ServerContext) {
  if (side === "operator")
    throw new LonghaulError(
      "route.unknown",
      `this port serves only the admin API, not ${path}; send model requests to server.port`,
    );
  const endpoint = asksForWebSocket(headers) ? findSocketEndpoint(path) : findEndpoint(method, path, headers);
  if (endpoint !== undefined) return endpoint;
  const other = ["POST", "GET"].find((name) => findEndpoint(name, path, headers) !== undefined);
  const advice =
    other === undefined
      ? "set the client's base URL to the gateway's address, with /v1 for OpenAI clients"
      : `use ${other}`;
  throw new LonghaulError("route.unknown", `${method} ${path} not found; ${advice}`);
}

/** Returns the endpoint that other servers offer as a WebSocket at this path, if any. */
export function findSocketEndpoint(path: string): Endpoint | undefined {
  const endpoint = findEndpoint("POST", path);
  if (endpoint?.action !== "generate") return undefined;
  return codecOf(endpoint.wire).api.hasSocket ? endpoint : undefined;
}

/** Codex tries a WebSocket first. On 426 it falls back to HTTP at once; on 404 it retries six times. */
function noWebSocket(): LonghaulError {
  const message = "WebSockets are not supported; send the same request as a POST";
  return new LonghaulError("request.unsupported", message, { status: 426 });
}

/** The parts of a request apart from its body. */
interface Head extends Pick<Arrived, "headers" | "query"> {}

/**
 * Removes the key from the query, which is forwarded and logged. Google's clients may send it there: for them it becomes a header. From other
 * clients it is ignored, so that a plain link never authenticates a request.
 */
export function takeKey(headers: Head["headers"], query: string, wire: WireId): Head {
  if (query === "") return { headers, query };
  const fields = new URLSearchParams(query);
  if (!fields.has("key")) return { headers, query };
  const key = fields.get("key") ?? "";
  fields.delete("key");
  const rest = fields.size === 0 ? "" : `?${fields}`;
  const { queryKeyHeader } = codecOf(wire).api;
  return { headers: queryKeyHeader === undefined ? headers : { [queryKeyHeader]: key, ...headers }, query: rest };
}

const MIB = 1024 * 1024;

async function receiveBody(exchange: Exchange, endpoint: Endpoint): Promise<Uint8Array> {
  const { request, context, server: gateway } = exchange;
  const { record, snapshot } = context;
  const { server, contents } = snapshot.config;
  const claim = gateway.gate.openBody();
  exchange.onClose(() => claim.release());
  const limits = { limitBytes: server.bodyLimitMiB * MIB, timeoutMs: server.requestTimeoutSeconds * 1_000, claim };
  const read = await readBody(request, limits);
  record.receivedMs = performance.now() - record.startedMs;
  const body = await gateway.scanner.scan(read, endpoint);
  if (contents.keep !== "off") record.received = body;
  return body;
}
