import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { makeKey } from "../keys/make-key.ts";
import { openGateway } from "../server.ts";
import { ADMIN_TOKEN, openAdminGateway } from "../testing/admin.ts";

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
  const opened = await openAdminGateway(file, options);
  closers.push(() => opened.gateway.close());
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

describe("a gateway's admin side", () => {
  it("lets in who shows the token that was minted, by a cookie that no script sees", async () => {
    const { gateway } = await open();
    const response = await signIn(gateway.adminUrl, await gateway.mintAdminToken());
    expect([response.status, await response.json()]).toEqual([200, { signedIn: true }]);
    expect(response.headers.get("set-cookie")).toMatch(
      /^longhaul=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    );
    expect(await describedWith(gateway.adminUrl, { cookie: cookieOf(response) })).toBe(200);
  });

  it("lets in one of two who show the same token at once", async () => {
    const { gateway } = await open();
    const token = await gateway.mintAdminToken();
    const answers = await Promise.all([1, 2].map(() => signIn(gateway.adminUrl, token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it("knows a browser again after a restart, until it signs out", async () => {
    const store = { path: join(makeFolder(), "kept.db") };
    const first = await openGateway({ file: { server: { port: 0 }, store } });
    const cookie = cookieOf(await signIn(first.adminUrl, await first.mintAdminToken()));
    await first.close();
    const { gateway } = await open({ store });
    expect(await describedWith(gateway.adminUrl, { cookie })).toBe(200);
    const out = await fetch(`${gateway.adminUrl}/api/sign-out`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-longhaul-admin": "1", cookie },
    });
    expect([out.status, cookieOf(out)]).toEqual([200, "longhaul="]);
    expect(await describedWith(gateway.adminUrl, { cookie })).toBe(401);
  });

  it("says what to do about a wrong token, and after ten different ones to wait", async () => {
    const { gateway } = await open();
    const wrong = await signIn(gateway.adminUrl, "wrong");
    expect([wrong.status, await wrong.json()]).toMatchObject([
      401,
      { error: { code: "auth.missing", message: expect.stringContaining("longhaul dashboard") } },
    ]);
    for (let count = 1; count < 10; count++) await signIn(gateway.adminUrl, `wrong ${count}`);
    const late = await signIn(gateway.adminUrl, ADMIN_TOKEN);
    expect([late.status, late.headers.get("retry-after")]).toEqual([429, "60"]);
  });

  it("does not make other addresses wait for an attacker's wrong tokens", async () => {
    const { gateway } = await open({
      server: { host: "0.0.0.0", port: 0, adminToken: ADMIN_TOKEN, keys: "off", adminPort: 0, adminHost: "0.0.0.0" },
    });
    const { port } = new URL(gateway.adminUrl);
    for (let count = 0; count < 12; count++) await askFrom("127.0.0.2", port, `wrong token ${count}`);
    expect(await askFrom("127.0.0.2", port, ADMIN_TOKEN)).toBe(429);
    expect(await askFrom("127.0.0.1", port, ADMIN_TOKEN)).toBe(200);
  });

  it("lets an admin who is known go on beside an attacker at the same address", async () => {
    const { gateway } = await open();
    const admin = { authorization: `Bearer ${ADMIN_TOKEN}` };
    expect(await describedWith(gateway.adminUrl, admin)).toBe(200);
    for (let count = 0; count < 12; count++) {
      await describedWith(gateway.adminUrl, { authorization: `Bearer wrong ${count}` });
    }
    expect(await describedWith(gateway.adminUrl, { authorization: "Bearer wrong" })).toBe(429);
    expect(await describedWith(gateway.adminUrl, admin)).toBe(200);
  });

  it("makes only the program wait that repeats one wrong token", async () => {
    const { gateway } = await open();
    const statuses = [];
    for (let count = 0; count < 12; count++) {
      statuses.push(await describedWith(gateway.adminUrl, { authorization: "Bearer an old admin token" }));
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
    expect(await describedWith(gateway.adminUrl, { authorization: `Bearer ${ADMIN_TOKEN}` })).toBe(200);
  });

  it.each(["authorization", "x-api-key", "x-goog-api-key", "x-longhaul-key"])(
    "says that a client's key in %s is not the admin token, and does not count it",
    async (name) => {
      const { gateway } = await open();
      for (let count = 0; count < 12; count++) {
        const { key } = makeKey({ name: "a", createdAtMs: 0 });
        const headers = { [name]: name === "authorization" ? `Bearer ${key}` : key };
        const answer = await fetch(`${gateway.adminUrl}/api/keys`, { headers });
        const { error } = JSON.parse(await answer.text());
        expect([answer.status, error.message]).toEqual([401, expect.stringContaining("lh_… is a key for clients")]);
        const signedIn = await signIn(gateway.adminUrl, key);
        expect([signedIn.status, await signedIn.text()]).toEqual([401, expect.stringContaining("key for clients")]);
      }
      expect(await describedWith(gateway.adminUrl, { authorization: `Bearer ${ADMIN_TOKEN}` })).toBe(200);
    },
  );

  it("takes the configuration's token as a key, and the one after a reload instead", async () => {
    const { gateway } = await open();
    expect(await describedWith(gateway.adminUrl, { authorization: `Bearer ${ADMIN_TOKEN}` })).toBe(200);
    gateway.reload({ file: { server: { port: 0, adminToken: "another-long-token" } } });
    expect(await describedWith(gateway.adminUrl, { authorization: `Bearer ${ADMIN_TOKEN}` })).toBe(401);
    expect(await describedWith(gateway.adminUrl, { authorization: "Bearer another-long-token" })).toBe(200);
  });

  it("serves pages to anybody, and says so where there are none", async () => {
    const dashboardFolder = makeFolder();
    writeFileSync(join(dashboardFolder, "index.html"), "<h1>pages</h1>");
    const [built, bare] = [await open({}, { dashboardFolder }), await open()];
    expect(await (await fetch(built.gateway.adminUrl)).text()).toBe("<h1>pages</h1>");
    expect(await (await fetch(bare.gateway.adminUrl)).text()).toContain("was not built");
  });

  it("has its own port where the configuration says so, and is at no other", async () => {
    const { gateway } = await open({ server: { port: 0, adminPort: 0, adminToken: ADMIN_TOKEN } });
    const { url, adminUrl } = gateway;
    expect(url).not.toBe(adminUrl);
    const statuses = async (paths: readonly string[], at: string) =>
      await Promise.all(
        paths.map(async (path) => {
          const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
          return (await fetch(at + path, { headers })).status;
        }),
      );
    const paths = ["/", "/api/openapi.json", "/metrics", "/v1/models", "/healthz", "/readyz"];
    expect(await statuses(paths, url)).toEqual([404, 404, 404, 200, 200, 200]);
    expect(await statuses(paths, adminUrl)).toEqual([200, 200, 200, 404, 200, 200]);
  });

  it("is at a port of its own on localhost when the gateway listens beyond it", async () => {
    const { gateway } = await open({ server: { host: "0.0.0.0", port: 0, keys: "off", adminToken: ADMIN_TOKEN } });
    const [clients, operator] = [new URL(gateway.url), new URL(gateway.adminUrl)];
    expect([clients.hostname, operator.hostname, operator.port === clients.port]).toEqual([
      "0.0.0.0",
      "127.0.0.1",
      false,
    ]);
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const statuses = [];
    for (const path of ["/", "/api/openapi.json", "/metrics"]) {
      for (const { port } of [clients, operator]) {
        statuses.push((await fetch(`http://127.0.0.1:${port}${path}`, { headers })).status);
      }
    }
    expect(statuses).toEqual([404, 200, 404, 200, 404, 200]);
  });

  it("closes both ports where the second cannot be had", async () => {
    const { gateway } = await open();
    const taken = Number(new URL(gateway.url).port);
    await expect(openGateway({ file: { server: { port: 0, adminPort: taken } } })).rejects.toMatchObject({
      code: "settings.invalid",
    });
  });
});
