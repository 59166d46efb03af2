import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type AdminContext, type Route, route } from "../routes/route.ts";
import { ADMIN_TOKEN, type AdminServer, openAdminServer } from "../testing/admin-server.ts";
import { ALL_ROUTES } from "./all-routes.ts";
import { makeAdminApp } from "./app.ts";

let admin: AdminServer;
beforeEach(async () => {
  admin = await openAdminServer();
});
afterEach(() => admin.close());

function send(path: string, init: RequestInit = {}): Promise<Response> {
  const { headers, ...rest } = init;
  return fetch(`${admin.url}/api${path}`, {
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, ...headers },
    ...rest,
  });
}

const CHANGE = JSON.stringify({ entries: [{ path: "log.tokens", value: true }] });
const JSON_TYPE = { "content-type": "application/json" };

describe("every route", () => {
  const named = ALL_ROUTES.map((each) => [`${each.method} ${each.path}`, each] as const);

  it.each(named)("%s declares its scope and rejects requests without access", async (_, { method, path, scope }) => {
    expect(["admin", "open"]).toContain(scope);
    const response = await fetch(`${admin.url}/api${path}`, {
      method,
      headers: { ...JSON_TYPE, "x-longhaul-admin": "1" },
      ...(method !== "GET" && { body: "{}" }),
    });
    expect(response.status).toBe(scope === "admin" ? 401 : 400);
    await response.text();
  });

  it("needs no sign-in only for the sign-in itself", () => {
    expect(ALL_ROUTES.filter(({ scope }) => scope === "open").map(({ path }) => path)).toEqual(["/sign-in"]);
  });
});

describe("a change", () => {
  it.each([
    ["from another site's page", { ...JSON_TYPE, "sec-fetch-site": "cross-site" }, 403],
    ["from a page of the same site at another port", { ...JSON_TYPE, "sec-fetch-site": "same-site" }, 403],
    ["from another origin", { ...JSON_TYPE, origin: "https://evil.example" }, 403],
    ["from a page without an origin", { ...JSON_TYPE, origin: "null" }, 403],
    ["from this machine's other port", { ...JSON_TYPE, origin: "http://127.0.0.1:1" }, 403],
    ["as a form", { "content-type": "application/x-www-form-urlencoded" }, 400],
    ["as plain text", { "content-type": "text/plain" }, 400],
    ["with a type that only begins like JSON", { "content-type": "application/jsonp" }, 400],
    ["by a program", JSON_TYPE, 200],
    ["with a charset", { "content-type": "application/json; charset=utf-8" }, 200],
    ["by the dashboard", { ...JSON_TYPE, "sec-fetch-site": "same-origin" }, 200],
  ])("%s gets %d", async (_, headers, status) => {
    const response = await send("/settings", { method: "PATCH", headers, body: CHANGE });
    expect(response.status).toBe(status);
    expect(admin.settings.revision).toBe(status === 200 ? 1 : 0);
  });

  it.each([
    ["without the header that no form can send", {}, 403],
    ["with a password that the browser adds by itself", { authorization: "Basic eDp5" }, 403],
    ["with another value of that header", { "x-longhaul-admin": "true" }, 403],
    ["with that header", { "x-longhaul-admin": "1" }, 200],
  ])("with a cookie %s gets %d", async (_, headers, status) => {
    const token = await admin.admin.mintToken();
    const url = `${admin.url}/api`;
    const asked = {
      method: "POST",
      headers: { ...JSON_TYPE, "x-longhaul-admin": "1" },
      body: JSON.stringify({ token }),
    };
    const [cookie = ""] = ((await fetch(`${url}/sign-in`, asked)).headers.get("set-cookie") ?? "").split(";");
    const change = { method: "PATCH", headers: { ...JSON_TYPE, cookie, ...headers }, body: CHANGE };
    expect((await fetch(`${url}/settings`, change)).status).toBe(status);
    expect(admin.settings.revision).toBe(status === 200 ? 1 : 0);
  });

  it("is accepted from the page's own origin", async () => {
    const headers = { ...JSON_TYPE, origin: admin.url };
    expect((await send("/settings", { method: "PATCH", headers, body: CHANGE })).status).toBe(200);
  });

  it.each([
    ["invalid JSON", "{", "the request body is not valid JSON"],
    ["no body", "", "the body is invalid: entries"],
    ["a list", "[]", "the body is invalid"],
  ])("with %s is rejected with a reason", async (_, body, message) => {
    const response = await send("/settings", { method: "PATCH", headers: JSON_TYPE, body });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { code: "request.malformed", message: expect.stringContaining(message) } },
    ]);
  });

  it("may have a body of unknown length, or none", async () => {
    const streamed = { method: "PATCH", headers: JSON_TYPE, body: new Blob([CHANGE]).stream(), duplex: "half" };
    expect((await send("/settings", streamed)).status).toBe(200);
    const none = await send("/keys/none", { method: "DELETE", headers: JSON_TYPE });
    expect([none.status, (await none.json()).error.code]).toEqual([404, "request.not-kept"]);
  });

  it("is rejected if it is too large, with and without content-length", async () => {
    const body = JSON.stringify({ entries: [{ path: "context.prompt", value: "x".repeat(1024 * 1024) }] });
    const declared = await send("/settings", { method: "PATCH", headers: JSON_TYPE, body });
    expect([declared.status, (await declared.json()).error.code]).toEqual([413, "request.body-too-large"]);
    const stream = new Blob([body]).stream();
    const streamed = { method: "PATCH", headers: JSON_TYPE, body: stream, duplex: "half" };
    const undeclared = await send("/settings", streamed);
    expect(undeclared.status).toBe(413);
    expect(admin.settings.revision).toBe(0);
  });
});

describe("responses", () => {
  it("forbid caching, type sniffing and use by other sites", async () => {
    for (const response of [
      await send("/openapi.json"),
      await send("/nothing"),
      await fetch(`${admin.url}/api/settings`),
    ]) {
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "cache-control": "no-store",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "x-content-type-options": "nosniff",
        "content-type": "application/json",
      });
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  it("to a preflight allow no origin", async () => {
    const response = await send("/settings", {
      method: "OPTIONS",
      headers: { origin: "https://evil.example", "access-control-request-method": "PATCH" },
    });
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([404, null]);
  });

  it("name a path that does not exist", async () => {
    expect((await (await send("/nothing")).json()).error).toEqual({
      code: "route.unknown",
      message: "GET /api/nothing not found; GET /api/openapi.json lists the paths of the admin API",
    });
    const post = { method: "POST", headers: JSON_TYPE, body: "{}" };
    expect((await (await send("/v1/messages", post)).json()).error.message).toBe(
      "POST /api/v1/messages not found; send model requests to /v1/messages, without /api",
    );
  });
});

describe("a bug in a route", () => {
  const bugs: unknown[] = [];
  beforeEach(() => {
    bugs.length = 0;
  });
  const log = { bug: (error: unknown) => void bugs.push(error) };
  const context = { snapshots: { current: () => ({ log }) } } as unknown as AdminContext;
  const made = (run: Route["run"]) =>
    route("GET", "/made", {
      scope: "open",
      summary: "A test.",
      answer: z.object({ shown: z.string() }),
      run: async (asked, at) => (await run(asked, at)) as { shown: string },
    });

  it("is logged, and hidden from the client", async () => {
    const app = makeAdminApp([made(async () => Promise.reject(new TypeError("secret words")))], context);
    const response = await app.request("/api/made");
    expect([response.status, await response.json()]).toEqual([
      500,
      { error: { code: "internal.bug", message: "internal error; see the gateway's log" } },
    ]);
    expect(bugs).toEqual([new TypeError("secret words")]);
  });

  it("never returns a field that the schema does not name", async () => {
    const leaking = makeAdminApp([made(async () => ({ shown: "yes", hash: "secret" }))], context);
    expect(await (await leaking.request("/api/made")).json()).toEqual({ shown: "yes" });
    const wrong = makeAdminApp([made(async () => ({ hash: "secret" }))], context);
    expect((await wrong.request("/api/made")).status).toBe(500);
  });
});

it("answers concurrent first requests", async () => {
  const admin = await openAdminServer();
  const answers = await Promise.all(["/settings", "/nowhere"].map((path) => admin.ask("GET", path)));
  expect(answers.map(({ status }) => status)).toEqual([200, 404]);
  await admin.close();
});
