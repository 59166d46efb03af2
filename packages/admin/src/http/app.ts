import { IncomingMessage, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { checkValue, LonghaulError, parseJsonText } from "@longhaul/conversation/advanced";
import { faultSentence, schemaFaults } from "@longhaul/settings";
import { collect } from "@longhaul/upstream";
import { checkJsonLimits } from "@longhaul/wire";
import { type Context, Hono } from "hono";
import type { z } from "zod";
import { isSignedIn } from "../host/sign-in.ts";
import type { AdminContext, Route } from "../routes/route.ts";
import { ALL_ROUTES } from "./all-routes.ts";

const MIB = 1024 * 1024;

const BUG = "internal error; see the gateway's log";

/** Default headers of every response: no caching, no type sniffing, no embedding in other sites. */
const HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff",
} as const;

export function makeAdminApp(routes: readonly Route[], context: AdminContext): Hono {
  const app = new Hono().basePath("/api");
  app.onError((thrown) => {
    const error = thrown instanceof LonghaulError ? thrown : new LonghaulError("internal.bug", BUG, { cause: thrown });
    if (error.code === "internal.bug") context.snapshots.current().log.bug(error.cause ?? error, "admin");
    return refuse(error, context.command);
  });
  app.notFound(({ req: { method, path } }) => refuse(unknownPath(method, path), context.command));
  app.use(async (exchange, next) => {
    await next();
    for (const [name, value] of Object.entries(HEADERS)) {
      if (!exchange.res.headers.has(name)) exchange.res.headers.set(name, value);
    }
  });
  for (const route of routes) {
    app.on(route.method, route.path, async (exchange) => {
      if (route.scope === "admin") await checkAdmin(exchange, context);
      if (route.method !== "GET") checkOrigin(exchange);
      return answer(route, exchange, context);
    });
  }
  return app;
}

function unknownPath(method: string, path: string): LonghaulError {
  const below = path.replace(/^\/api/, "");
  const advice = /^\/v1(?:beta)?(?:\/|$)/.test(below)
    ? `send model requests to ${below}, without /api`
    : "GET /api/openapi.json lists the paths of the admin API";
  return new LonghaulError("route.unknown", `${method} ${path} not found; ${advice}`);
}

async function answer(route: Route, exchange: Context, context: AdminContext): Promise<Response> {
  const query = parse(route.query, exchange.req.query(), "query");
  const body =
    route.body === undefined ? undefined : parse(route.body, await readJson(exchange.req.raw, route), "body");
  const request = exchange.req.raw;
  const { signal } = request;
  const result = await route.run(
    { params: exchange.req.param(), query, body, request, address: addressOf(exchange), signal },
    context,
  );
  if (result instanceof Response) return result;
  // Drops fields that the schema does not name.
  const checked = "contentType" in route.answer ? result : route.answer.parse(result);
  return Response.json(checked ?? {});
}

/** Returns the peer's address. Proxy headers are ignored, because any client can send them. */
function addressOf({ env }: Context): string {
  const incoming: unknown = env?.incoming;
  return incoming instanceof IncomingMessage ? (incoming.socket.remoteAddress ?? "") : "";
}

async function checkAdmin(exchange: Context, context: AdminContext): Promise<void> {
  const shown = { headers: exchange.req.header(), address: addressOf(exchange) };
  if (await isSignedIn(shown, context.signIn)) return;
  throw new LonghaulError(
    "auth.missing",
    "sign in first: open the link that `longhaul start` or `longhaul dashboard` prints, or send the admin token as `authorization: Bearer …`",
  );
}

/** Sent with every change by the dashboard. Forms and links cannot send it; pages of other origins need a preflight, which fails. */
const ADMIN_HEADER = "x-longhaul-admin";

/** Rejects changes from other sites, which can make a browser send its cookies but can forge neither its origin nor the admin header. */
function checkOrigin(exchange: Context): void {
  const site = exchange.req.header("sec-fetch-site");
  const origin = exchange.req.header("origin");
  const host = exchange.req.header("host");
  const isForeign =
    (site !== undefined && site !== "same-origin" && site !== "none") ||
    (origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host));
  if (isForeign) throw new LonghaulError("auth.denied", "the admin API accepts changes only from its own pages");
  // A browser adds cookies and Basic passwords by itself, but never a bearer token.
  const hasToken = /^Bearer /i.test(exchange.req.header("authorization") ?? "");
  if (!hasToken && exchange.req.header(ADMIN_HEADER) !== "1") {
    throw new LonghaulError(
      "auth.denied",
      `send ${ADMIN_HEADER}: 1 with every change, or the admin token as \`authorization: Bearer …\``,
    );
  }
  if (!/^application\/json\b/i.test(exchange.req.header("content-type") ?? "")) {
    throw new LonghaulError("request.malformed", "the request needs a JSON body with content-type: application/json");
  }
}

async function readJson(request: Request, route: Route): Promise<unknown> {
  const bytes = await readBytes(request, route);
  checkJsonLimits(bytes);
  try {
    return bytes.length === 0 ? {} : parseJsonText(bytes.toString("utf8"));
  } catch {
    throw new LonghaulError("request.malformed", "the request body is not valid JSON");
  }
}

// Hono's own limit wraps a body of unknown length in a new `Request`, which Node rejects.
async function readBytes(request: Request, route: Route): Promise<Buffer> {
  const { maxBytes = MIB } = route;
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge(route);
  if (request.body === null) return Buffer.alloc(0);
  return await collect(request.body, maxBytes, () => tooLarge(route));
}

function parse(schema: z.ZodType | undefined, value: unknown, where: "query" | "body"): unknown {
  if (schema === undefined) return undefined;
  const parsed = checkValue(schema, value);
  if (parsed.success) return parsed.data;
  const faults = schemaFaults(parsed.error);
  const listed = faults.map(faultSentence).join("; ");
  throw new LonghaulError("request.malformed", `the ${where} is invalid: ${listed}`, { faults });
}

function tooLarge({ maxBytes = MIB, path }: Route): LonghaulError {
  return new LonghaulError("request.body-too-large", `${path} accepts at most ${maxBytes / MIB} MiB`);
}

/** Messages quote commands as `longhaul …`; a reader may have to call them in another way. */
function refuse(error: LonghaulError, command = "longhaul"): Response {
  const { code, status, faults, retryAfterMs } = error;
  const message = error.message.replaceAll("`longhaul ", `\`${command} `);
  const headers = retryAfterMs === undefined ? {} : { "retry-after": `${Math.ceil(retryAfterMs / 1_000)}` };
  return Response.json({ error: { code, message, ...(faults.length > 0 && { faults }) } }, { status, headers });
}

export function makeApiListener(
  context: AdminContext,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return getRequestListener(makeAdminApp(ALL_ROUTES, context).fetch, { overrideGlobalObjects: false });
}
