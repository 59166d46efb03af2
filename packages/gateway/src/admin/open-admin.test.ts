import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
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
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ token }),
  });
}

function cookieOf(response: Response): string {
  return response.headers.get("set-cookie")?.split(";")[0] ?? "";
}

async function describedWith(url: string, headers: Record<string, string>): Promise<number> {
  return (await fetch(`${url}/api/openapi.json`, { headers })).status;
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
      headers: { "content-type": "application/json", cookie },
    });
    expect([out.status, cookieOf(out)]).toEqual([200, "longhaul="]);
    expect(await describedWith(gateway.adminUrl, { cookie })).toBe(401);
  });

  it("tells whoever shows a wrong token what to do, and after ten to wait", async () => {
    const { gateway } = await open();
    const wrong = await signIn(gateway.adminUrl, "wrong");
    expect([wrong.status, await wrong.json()]).toMatchObject([
      401,
      { error: { code: "auth.missing", message: expect.stringContaining("longhaul dashboard") } },
    ]);
    for (let count = 1; count < 10; count++) await signIn(gateway.adminUrl, "wrong");
    const late = await signIn(gateway.adminUrl, ADMIN_TOKEN);
    expect([late.status, late.headers.get("retry-after")]).toEqual([429, "60"]);
  });

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

  it("closes both ports where the second cannot be had", async () => {
    const { gateway } = await open();
    const taken = Number(new URL(gateway.url).port);
    await expect(openGateway({ file: { server: { port: 0, adminPort: taken } } })).rejects.toMatchObject({
      code: "settings.invalid",
    });
  });
});
