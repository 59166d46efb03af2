import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { makeGate } from "./gate.ts";
import { type PagesContext, pageAt } from "./pages.ts";

function ask(path: string, options: { method?: string; host?: string; context?: Partial<PagesContext> } = {}) {
  const { method = "GET", host = "127.0.0.1", context = {} } = options;
  const request = new IncomingMessage(new Socket());
  request.method = method;
  return pageAt({ request, path, host }, { gate: makeGate(() => 1), ...context });
}

const observing = { metrics: async () => "longhaul_requests_total 1\n" };

describe("pageAt", () => {
  it("reports that the gateway is up, and whether it accepts requests", async () => {
    const gate = makeGate(() => 1);
    expect(await ask("/healthz")).toEqual({ status: 200, body: { status: "ok" } });
    expect(await ask("/readyz", { context: { gate } })).toEqual({ status: 200, body: { status: "ready" } });
    void gate.close();
    expect(await ask("/readyz", { context: { gate } })).toEqual({ status: 503, body: { status: "stopping" } });
  });

  it("answers clients' HEAD probes and no other method or path", async () => {
    expect(await ask("/", { method: "HEAD" })).toEqual({ status: 200, body: {} });
    expect(await ask("/api/hello", { method: "HEAD" })).toEqual({ status: 200, body: {} });
    expect(await ask("/")).toBeUndefined();
    expect(await ask("/healthz", { method: "POST" })).toBeUndefined();
    expect(await ask("/metrics", { method: "POST", context: { observing } })).toBeUndefined();
  });

  it.each(["127.0.0.1", "::1", "localhost"])("serves metrics without a token on %s", async (host) => {
    const page = await ask("/metrics", { host, context: { observing } });
    expect(page).toEqual({ status: 200, body: "longhaul_requests_total 1\n" });
  });

  it("requires the admin token for metrics on an address that others can reach", async () => {
    const denied = { host: "0.0.0.0", context: { observing } };
    await expect(ask("/metrics", denied)).rejects.toMatchObject({ code: "auth.missing" });
    const wrongToken = { ...denied, context: { observing, admin: { isAdmin: async () => false } } };
    await expect(ask("/metrics", wrongToken)).rejects.toMatchObject({ code: "auth.missing" });
    const admin = { ...denied, context: { observing, admin: { isAdmin: async () => true } } };
    expect(await ask("/metrics", admin)).toMatchObject({ status: 200 });
  });

  it("serves no metrics on a port for clients only", async () => {
    expect(await ask("/metrics", { context: { observing, side: "clients" } })).toBeUndefined();
    expect(await ask("/metrics", { context: { observing, side: "operator" } })).toMatchObject({ status: 200 });
    expect(await ask("/healthz", { context: { side: "clients" } })).toMatchObject({ status: 200 });
  });

  it("has no metrics page if metrics are off", async () => {
    expect(await ask("/metrics", { context: { observing: { metrics: async () => undefined } } })).toBeUndefined();
    expect(await ask("/metrics")).toBeUndefined();
  });
});
