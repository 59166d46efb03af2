import { connect } from "node:net";
import { json, openUpstream } from "@longhaul/fit/testing";
import { afterEach, describe, expect, it } from "vitest";
import { openGateway } from "./gateway.ts";
import { ADMIN_TOKEN, openAdminGateway } from "./testing/admin.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function open(file: object = {}) {
  const opened = await openAdminGateway(file);
  closers.push(() => opened.gateway.close());
  return opened;
}

describe("the admin API of a running gateway", () => {
  it("is served only on its own port if one is configured", async () => {
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

  it("is served on a localhost port of its own if the gateway listens on other addresses", async () => {
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

  it("closes both ports if the second cannot be opened", async () => {
    const { gateway } = await open();
    const taken = Number(new URL(gateway.url).port);
    await expect(openGateway({ file: { server: { port: 0, adminPort: taken } } })).rejects.toMatchObject({
      code: "settings.invalid",
    });
  });

  it("rejects a foreign host", async () => {
    const admin = await open();
    const { port } = new URL(admin.gateway.adminUrl);
    const socket = connect(Number(port), "127.0.0.1");
    socket.write(
      `GET /api/settings HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer ${ADMIN_TOKEN}\r\nConnection: close\r\n\r\n`,
    );
    const text = await new Promise<string>((resolve) => {
      let all = "";
      socket.on("data", (chunk) => (all += chunk)).on("end", () => resolve(all));
    });
    expect(text).toMatch(/^HTTP\/1\.1 403 /);
  });

  it("applies a new key and its revocation at once", async () => {
    const admin = await open();
    const statusWith = async (key: string) => {
      const response = await fetch(`${admin.gateway.url}/v1/models`, { headers: { "x-longhaul-key": key } });
      await response.text();
      return response.status;
    };
    expect(await statusWith("")).toBe(200);
    const { key, created } = (await admin.ask("POST", "/keys", { name: "ci" })).body;
    expect([await statusWith(""), await statusWith(key)]).toEqual([401, 200]);
    await admin.ask("DELETE", `/keys/${created.id}`);
    expect(await statusWith(key)).toBe(401);
  });

  it("reports an upstream whose circuit is open", async () => {
    const upstream = await openUpstream(json({ error: { message: "down" } }, 500));
    const { gateway, ask } = await open({
      upstreams: { up: { kind: "openai", baseUrl: upstream.url, apiKey: "k", maxRetries: 0 } },
      routes: [{ match: "*", upstream: "up" }],
    });
    const body = JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content: "hi" }] });
    for (let count = 0; count < 5; count++) {
      await fetch(`${gateway.url}/v1/chat/completions`, { method: "POST", body });
    }
    const health = await ask("GET", "/health");
    await upstream.close();
    expect(health.body).toMatchObject({ status: "degraded", upstreams: [{ name: "up", isCircuitOpen: true }] });
  });
});
