import { afterEach, describe, expect, it } from "vitest";
import { ADMIN_TOKEN, type AdminServer, openAdminServer } from "../testing/admin-server.ts";
import type { AdminContext } from "./route.ts";
import { HEALTH_ROUTES } from "./status-routes.ts";

it("reports a healthy gateway", async () => {
  const { close, ask } = await openAdminServer({
    upstreams: { up: { kind: "openai" }, sim: { kind: "simulator", saysSimulated: true } },
    routes: [{ match: "*", upstream: "up" }],
    server: { port: 0, adminToken: "a-long-admin-token", maxRequests: 7 },
  });
  const { body } = await ask("GET", "/health");
  await close();
  expect(body).toEqual({
    status: "ok",
    nowMs: expect.any(Number),
    requests: { underWay: 0, max: 7 },
    store: { location: "in memory, lost on restart", isWorking: true, ms: expect.any(Number) },
    upstreams: [
      { name: "up", isRunning: true, isCircuitOpen: false, isSimulated: false },
      { name: "sim", isRunning: false, isCircuitOpen: false, isSimulated: true },
    ],
    isContextDisabled: false,
    warnings: [],
  });
});

it("reports the clients' port if the admin API has another", async () => {
  const server = { port: 0, adminPort: 0, adminToken: "a-long-admin-token" };
  const { close, ask } = await openAdminServer({ server });
  const { body } = await ask("GET", "/health");
  await close();
  expect(body.clientPort).toBe(0);
});

it("reports a failing store, an alert that was not delivered, and a stopping gateway", async () => {
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
      alerts: { failure: () => "ECONNREFUSED" },
      nowMs: () => 0,
    } as unknown as AdminContext;
    const nothing = { params: {}, query: undefined, body: undefined };
    const request = new Request("http://x");
    return HEALTH_ROUTES[0]?.run({ ...nothing, request, address: "", signal: request.signal }, context);
  };
  expect(await asked({}, () => Promise.reject(new Error("disk full")))).toMatchObject({
    status: "degraded",
    store: { isWorking: false, why: "disk full" },
    alertFailure: "ECONNREFUSED",
  });
  const full = () => Promise.reject(new Error("nothing can be written"));
  expect(await asked({}, async () => ({}), full)).toMatchObject({
    status: "degraded",
    store: { isWorking: false, why: "nothing can be written" },
  });
  expect(await asked({ isClosing: true }, async () => ({}))).toMatchObject({ status: "stopping" });
});

describe("GET /stream", () => {
  let opened: AdminServer;
  afterEach(() => opened.close());

  it("sends a change as it happens, and ends with the client", async () => {
    opened = await openAdminServer();
    const leaving = new AbortController();
    const response = await fetch(`${opened.url}/api/stream`, {
      headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
      signal: leaving.signal,
    });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const received = readUntil(response, '{"kind":"settings"}');
    await opened.settings.change({ entries: [{ path: "context.strategy", value: "lossless" }], by: "test" });
    expect(await received).toContain('data: {"kind":"settings"}\n\n');
    leaving.abort();
  });

  it("requires sign-in", async () => {
    opened = await openAdminServer();
    expect((await fetch(`${opened.url}/api/stream`)).status).toBe(401);
  });
});

async function readUntil(response: Response, wanted: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes(wanted)) return text;
  }
  return text;
}
