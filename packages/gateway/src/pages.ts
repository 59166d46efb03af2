import type { IncomingMessage, ServerResponse } from "node:http";
import type { Admin } from "@longhaul/admin";
import { LonghaulError } from "@longhaul/conversation";
import { type Config, isLoopback } from "@longhaul/settings";
import type { Gate } from "./http/gate.ts";
import { INERT_HEADERS } from "./http/outcome.ts";
import type { Observing } from "./observing.ts";
import { PROMETHEUS_TYPE } from "./telemetry/prometheus.ts";

/** A page that is answered without a model. */
export interface Page {
  readonly status: number;
  /** Text is what Prometheus reads; anything else is sent as JSON. */
  readonly body: object | string;
}

/** What pages take from outside. */
export interface PagesContext {
  readonly gate: Gate;
  /** @default there are no figures */
  readonly observing?: Pick<Observing, "metrics"> | undefined;
  /** Knows requests that come from the operator. @default none does */
  readonly admin?: Pick<Admin, "isAdmin"> | undefined;
  /** @default "all" */
  readonly side?: Side | undefined;
}

/** What is answered at a port: what clients ask for, what the operator does, or both. Probes are answered anywhere. */
export type Side = "all" | "clients" | "operator";

/** Where a request wants to go, and where the gateway listens. */
export interface PageRequest {
  readonly request: IncomingMessage;
  readonly path: string;
  readonly host: Config["server"]["host"];
}

/** The page at a path, if there is one. Figures are told to this machine alone, or to the operator. */
export async function pageAt({ request, path, host }: PageRequest, context: PagesContext): Promise<Page | undefined> {
  const { method = "GET" } = request;
  if (method !== "GET" && method !== "HEAD") return undefined;
  if (path === "/healthz") return { status: 200, body: { status: "ok" } };
  if (path === "/readyz") {
    return context.gate.isClosing
      ? { status: 503, body: { status: "stopping" } }
      : { status: 200, body: { status: "ready" } };
  }
  if (path === "/metrics" && context.side !== "clients") return await metricsPage(request, host, context);
  const isProbe = method === "HEAD" && (path === "/" || path === "/api/hello");
  return isProbe ? { status: 200, body: {} } : undefined;
}

async function metricsPage(
  request: IncomingMessage,
  host: string,
  { observing, admin }: PagesContext,
): Promise<Page | undefined> {
  const isAllowed = isLoopback(host) || (await admin?.isAdmin(request)) === true;
  if (!isAllowed)
    throw new LonghaulError(
      "auth.missing",
      "GET /metrics takes the admin token, unless the gateway listens on this machine alone",
    );
  const body = await observing?.metrics();
  return body === undefined ? undefined : { status: 200, body };
}

/** Sends a page. */
export function sendPage(response: ServerResponse, { status, body }: Page): void {
  const isText = typeof body === "string";
  const text = isText ? body : JSON.stringify(body);
  const type = isText ? PROMETHEUS_TYPE : "application/json";
  const length = Buffer.byteLength(text);
  response.writeHead(status, { "content-type": type, "content-length": length, ...INERT_HEADERS });
  response.end(text);
}
