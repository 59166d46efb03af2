import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { makeKey } from "./host/gateway-key.ts";
import { ADMIN_TOKEN, openAdminServer } from "./testing/admin-server.ts";

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "longhaul-admin-"));
  closers.push(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function open(file: object = {}, options: object = {}) {
  const opened = await openAdminServer(file, options);
  closers.push(() => opened.close());
  return opened;
}

function signIn(url: string, token: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/api/sign-in`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-longhaul-admin": "1", ...headers },
    body: JSON.stringify({ token }),
  });
}

function cookieOf(response: Response): string {
  return response.headers.get("set-cookie")?.split(";")[0] ?? "";
}

async function describedWith(url: string, headers: Record<string, string>): Promise<number> {
  return (await fetch(`${url}/api/openapi.json`, { headers })).status;
}

/** Asks for the API's description from one of this machine's own addresses. */
function askFrom(localAddress: string, port: string, token: string): Promise<number | undefined> {
  const options = { host: "127.0.0.1", port, localAddress, path: "/api/openapi.json" };
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const asking = request({ ...options, headers }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode));
    });
    asking.on("error", reject);
    asking.end();
  });
}

describe("openAdmin", () => {
  it("exchanges a one-time token for an HttpOnly cookie", async () => {
    const { url, admin } = await open();
    const response = await signIn(url, await admin.mintToken());
    expect([response.status, await response.json()]).toEqual([200, { signedIn: true }]);
    expect(response.headers.get("set-cookie")).toMatch(
      /^longhaul=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    );
    expect(await describedWith(url, { cookie: cookieOf(response) })).toBe(200);
  });

  it("accepts a one-time token once when two requests race", async () => {
    const { url, admin } = await open();
    const token = await admin.mintToken();
    const answers = await Promise.all([1, 2].map(() => signIn(url, token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it("keeps a cookie valid after a restart, until it is signed out", async () => {
    const store = { path: join(makeFolder(), "kept.db") };
    const first = await openAdminServer({ store });
    const cookie = cookieOf(await signIn(first.url, await first.admin.mintToken()));
    await first.close();
    const { url } = await open({ store });
    expect(await describedWith(url, { cookie })).toBe(200);
    const out = await fetch(`${url}/api/sign-out`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-longhaul-admin": "1", cookie },
    });
    expect([out.status, cookieOf(out)]).toEqual([200, "longhaul="]);
    expect(await describedWith(url, { cookie })).toBe(401);
  });

  it("explains a wrong token, and returns 429 after ten different ones", async () => {
    const { url } = await open();
    const wrong = await signIn(url, "wrong");
    expect([wrong.status, await wrong.json()]).toMatchObject([
      401,
      { error: { code: "auth.missing", message: expect.stringContaining("longhaul dashboard") } },
    ]);
    for (let count = 1; count < 10; count++) await signIn(url, `wrong ${count}`);
    const late = await signIn(url, ADMIN_TOKEN);
    expect([late.status, late.headers.get("retry-after")]).toEqual([429, "60"]);
  });

  it("locks out only the address that sent wrong tokens", async () => {
    const { url } = await open();
    const { port } = new URL(url);
    for (let count = 0; count < 12; count++) await askFrom("127.0.0.2", port, `wrong token ${count}`);
    expect(await askFrom("127.0.0.2", port, ADMIN_TOKEN)).toBe(429);
    expect(await askFrom("127.0.0.1", port, ADMIN_TOKEN)).toBe(200);
  });

  it("keeps accepting a known admin token from a locked address", async () => {
    const { url } = await open();
    const admin = { authorization: `Bearer ${ADMIN_TOKEN}` };
    expect(await describedWith(url, admin)).toBe(200);
    for (let count = 0; count < 12; count++) {
      await describedWith(url, { authorization: `Bearer wrong ${count}` });
    }
    expect(await describedWith(url, { authorization: "Bearer wrong" })).toBe(429);
    expect(await describedWith(url, admin)).toBe(200);
  });

  it("locks out only the repeated wrong token", async () => {
    const { url } = await open();
    const statuses = [];
    for (let count = 0; count < 12; count++) {
      statuses.push(await describedWith(url, { authorization: "Bearer an old admin token" }));
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
    expect(await describedWith(url, { authorization: `Bearer ${ADMIN_TOKEN}` })).toBe(200);
  });

  it.each(["authorization", "x-api-key", "x-goog-api-key", "x-longhaul-key"])(
    "rejects a client key in %s with an explanation, without counting it",
    async (name) => {
      const { url } = await open();
      for (let count = 0; count < 12; count++) {
        const { key } = makeKey({ name: "a", createdAtMs: 0 });
        const headers = { [name]: name === "authorization" ? `Bearer ${key}` : key };
        const answer = await fetch(`${url}/api/keys`, { headers });
        const { error } = JSON.parse(await answer.text());
        expect([answer.status, error.message]).toEqual([
          401,
          expect.stringContaining("lh_… is an API key for clients"),
        ]);
        const signedIn = await signIn(url, key);
        expect([signedIn.status, await signedIn.text()]).toEqual([
          401,
          expect.stringContaining("is an API key for clients"),
        ]);
      }
      expect(await describedWith(url, { authorization: `Bearer ${ADMIN_TOKEN}` })).toBe(200);
    },
  );

  it("accepts the configured admin token, and after a reload only the new one", async () => {
    const { url, settings } = await open();
    expect(await describedWith(url, { authorization: `Bearer ${ADMIN_TOKEN}` })).toBe(200);
    settings.reload({ file: { server: { port: 0, adminToken: "another-long-token" } } });
    expect(await describedWith(url, { authorization: `Bearer ${ADMIN_TOKEN}` })).toBe(401);
    expect(await describedWith(url, { authorization: "Bearer another-long-token" })).toBe(200);
  });

  it("serves the dashboard without sign-in, or a notice if there is none", async () => {
    const dashboardFolder = makeFolder();
    writeFileSync(join(dashboardFolder, "index.html"), "<h1>pages</h1>");
    const [built, bare] = [await open({}, { dashboardFolder }), await open()];
    expect(await (await fetch(built.url)).text()).toBe("<h1>pages</h1>");
    expect(await (await fetch(bare.url)).text()).toContain("was not built");
  });
});
