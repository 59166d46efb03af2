import { expect, it } from "vitest";
import { openAdminGateway } from "../testing/admin.ts";
import { json, openUpstream } from "../testing/upstream-server.ts";
import type { AdminContext } from "./context.ts";
import { HEALTH_ROUTES } from "./health-routes.ts";

it("tells that all is well", async () => {
  const { gateway, ask } = await openAdminGateway({
    upstreams: { up: { kind: "openai" }, sim: { kind: "simulator" } },
    routes: [{ match: "*", upstream: "up" }],
    server: { port: 0, adminToken: "a-long-admin-token", maxRequests: 7 },
  });
  const { body } = await ask("GET", "/health");
  await gateway.close();
  expect(body).toEqual({
    status: "ok",
    nowMs: expect.any(Number),
    requests: { underWay: 0, max: 7 },
    store: { place: "in memory; nothing outlives a restart", isWorking: true, ms: expect.any(Number) },
    upstreams: [
      { name: "up", isRunning: true, isResting: false },
      { name: "sim", isRunning: false, isResting: false },
    ],
    isContextDisabled: false,
    warnings: [],
  });
});

it("tells the clients’ port where the operator has another", async () => {
  const server = { port: 0, adminPort: 0, adminToken: "a-long-admin-token" };
  const { gateway, ask } = await openAdminGateway({ server });
  const { body } = await ask("GET", "/health");
  await gateway.close();
  expect(body.clientPort).toBe(0);
});

it("tells of an upstream that is left alone for a while", async () => {
  const upstream = await openUpstream(json({ error: { message: "down" } }, 500));
  const { gateway, ask } = await openAdminGateway({
    upstreams: { up: { kind: "openai", baseUrl: upstream.url, apiKey: "k", maxRetries: 0 } },
    routes: [{ match: "*", upstream: "up" }],
  });
  const body = JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content: "hi" }] });
  for (let count = 0; count < 5; count++) {
    await fetch(`${gateway.url}/v1/chat/completions`, { method: "POST", body });
  }
  const health = await ask("GET", "/health");
  await gateway.close();
  await upstream.close();
  expect(health.body).toMatchObject({ status: "degraded", upstreams: [{ name: "up", isResting: true }] });
});

it("tells of a store that is down, and of a gateway that stops", async () => {
  const asked = (gate: object, load: () => Promise<unknown>, take = async () => true) => {
    const snapshot = {
      config: { server: { maxRequests: 1 }, store: {} },
      handles: new Map(),
      isContextDisabled: false,
    };
    const context = {
      gate: { isClosing: false, inside: 0, ...gate },
      store: { settings: { load }, leases: { take, release: async () => {} }, notices: () => [] },
      snapshots: { current: () => snapshot },
      settings: { layered: { warnings: [] } },
      nowMs: () => 0,
    } as unknown as AdminContext;
    const nothing = { params: {}, query: undefined, body: undefined };
    const request = new Request("http://x");
    return HEALTH_ROUTES[0]?.run({ ...nothing, request, address: "", signal: request.signal }, context);
  };
  expect(await asked({}, () => Promise.reject(new Error("disk full")))).toMatchObject({
    status: "degraded",
    store: { isWorking: false, why: "disk full" },
  });
  const full = () => Promise.reject(new Error("nothing can be written"));
  expect(await asked({}, async () => ({}), full)).toMatchObject({
    status: "degraded",
    store: { isWorking: false, why: "nothing can be written" },
  });
  expect(await asked({ isClosing: true }, async () => ({}))).toMatchObject({ status: "stopping" });
});
