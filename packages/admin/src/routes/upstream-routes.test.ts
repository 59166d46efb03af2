import { json, openUpstream } from "@longhaul/fit/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AdminServer, openAdminServer } from "../testing/admin-server.ts";

let admin: AdminServer;
let vendor: Awaited<ReturnType<typeof openUpstream>>;
beforeEach(async () => {
  vendor = await openUpstream(json({ data: [{ id: "one" }, { id: "two" }] }));
  admin = await openAdminServer({
    upstreams: { filed: { kind: "anthropic", baseUrl: vendor.url, apiKey: "hush-hush-hush" } },
    routes: [{ match: "claude-*", upstream: "filed" }],
  });
});
afterEach(async () => {
  await admin.close();
  await vendor.close();
});

async function upstreamNamed(name: string) {
  const { body } = await admin.ask("GET", "/upstreams");
  return body.upstreams.find((each: { name: string }) => each.name === name);
}

describe("upstreams", () => {
  it("are listed without their secrets", async () => {
    expect(await upstreamNamed("filed")).toMatchObject({
      kind: "anthropic",
      settings: { kind: "anthropic", baseUrl: vendor.url, maxRetries: 2 },
      secrets: ["apiKey"],
      origins: ["file"],
      canRemove: false,
      credential: "gateway",
      connections: [{ platform: "anthropic", wires: ["anthropic-messages"], isCircuitOpen: false }],
      routes: ["claude-*"],
    });
    expect(JSON.stringify((await admin.ask("GET", "/upstreams")).body)).not.toContain("hush");
  });

  it("are created, changed and removed", async () => {
    const made = await admin.ask("PATCH", "/upstreams/mine", {
      kind: "openai",
      apiKey: "sk-hush",
      timeouts: { idleSeconds: 9 },
    });
    expect(made.body).toEqual({ revision: 1, needRestart: [] });
    expect(await upstreamNamed("mine")).toMatchObject({ kind: "openai", secrets: ["apiKey"], canRemove: true });
    await admin.ask("PATCH", "/upstreams/mine", { apiKey: null, maxRetries: 0 });
    expect(await upstreamNamed("mine")).toMatchObject({
      secrets: [],
      credential: "client",
      settings: { maxRetries: 0, timeouts: { idleSeconds: 9 } },
    });
    expect((await admin.ask("DELETE", "/upstreams/mine")).body).toMatchObject({ revision: 3 });
    expect(await upstreamNamed("mine")).toBeUndefined();
  });

  it("are rejected with the invalid field, and not removed while in use", async () => {
    const bad = await admin.ask("PATCH", "/upstreams/mine", { kind: "carrier-pigeon", wings: 2 });
    expect([bad.status, bad.body.error.faults.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      ["upstreams.mine.wings", "upstreams.mine.kind"],
    ]);
    const [file, none] = [await admin.ask("DELETE", "/upstreams/filed"), await admin.ask("DELETE", "/upstreams/none")];
    expect([file.status, file.body.error.message]).toEqual([
      409,
      'the upstream "filed" is set in the file; remove it there',
    ]);
    expect(none.status).toBe(404);
    await admin.ask("PATCH", "/upstreams/mine", { kind: "openai" });
    await admin.ask("PATCH", "/settings", { entries: [{ path: "routes", value: [{ match: "*", upstream: "mine" }] }] });
    expect((await admin.ask("DELETE", "/upstreams/mine")).status).toBe(400);
  });

  it("are tested by requesting their models", async () => {
    const { body } = await admin.ask("POST", "/upstreams/filed/test");
    expect(body).toEqual({ outcome: "working", ms: expect.any(Number), models: ["one", "two"] });
    expect(vendor.seen[0]).toMatchObject({ path: "/v1/models", headers: { "x-api-key": "hush-hush-hush" } });
    expect((await admin.ask("POST", "/upstreams/none/test")).status).toBe(404);
    expect((await admin.ask("POST", "/upstreams/filed/test", { baseUrl: "http://elsewhere" })).status).toBe(400);
  });
});
