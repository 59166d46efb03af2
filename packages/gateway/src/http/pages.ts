import type { IncomingMessage, ServerResponse } from "node:http";
import type { Admin } from "@longhaul/admin";
import { LonghaulError } from "@longhaul/conversation";
import { type Config, isLoopback } from "@longhaul/settings";
import type { Gate } from "./gate.ts";
import { INERT_HEADERS } from "./outcome.ts";

/** A response that needs no model. */
export interface Page {
  readonly status: number;
  /** Metrics for Prometheus are a string; anything else is sent as JSON. */
  readonly body: object | string;
}

export interface PagesContext {
  readonly gate: Gate;
  /** `metrics` returns undefined if metrics are turned off. @default no metrics */
  readonly observing?: { metrics(): Promise<string | undefined> } | undefined;
  /** @default no request is an admin's */
  readonly admin?: Pick<Admin, "isAdmin"> | undefined;
  /** @default "all" */
  readonly side?: Side | undefined;
}

/** The side that a port serves: the model API, the admin API, or both. Health checks are served on every port. */
export type Side = "all" | "clients" | "operator";

export interface PageRequest {
  readonly request: IncomingMessage;
  readonly path: string;
  /** The address that the gateway listens on. */
  readonly host: Config["server"]["host"];
}

/** Returns the page at a path, if any. Metrics need the admin token unless the gateway listens on localhost only. */
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

async function metricsPage(request: IncomingMessage, host: string, { observing, admin }: PagesContext) {
  const isAllowed = isLoopback(host) || (await admin?.isAdmin(request)) === true;
  if (!isAllowed)
    throw new LonghaulError(
      "auth.missing",
      "GET /metrics requires the admin token, unless the gateway listens on localhost only; send it as `authorization: Bearer …`",
    );
  const body = await observing?.metrics();
  return body === undefined ? undefined : { status: 200, body };
}

const PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export function sendPage(response: ServerResponse, { status, body }: Page): void {
  const isText = typeof body === "string";
  const text = isText ? body : JSON.stringify(body);
  const type = isText ? PROMETHEUS_TYPE : "application/json";
  const length = Buffer.byteLength(text);
  response.writeHead(status, { "content-type": type, "content-length": length, ...INERT_HEADERS });
  response.end(text);
}
