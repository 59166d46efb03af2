import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { openStore } from "@longhaul/store";
import { makeContent, makeKey, makeRequestEvent } from "@longhaul/store/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AdminServer, openAdminServer } from "../testing/admin-server.ts";

let folder: string;
let opened: AdminServer;
const NOW_MS = Date.now();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "longhaul-sessions-"));
  const path = join(folder, "kept.db");
  opened = await openAdminServer({ store: { path } });
  const store = await openStore({ path, nowMs: () => NOW_MS });
  const described = { tenant: "", branch: "main", client: "Codex", clientVersion: "0.166" };
  const request = (id: string, fields: object) =>
    makeRequestEvent({ id, session: id, tenant: "", keyId: "", atMs: NOW_MS - 1_000, ...fields });
  await store.events.add({
    requests: [
      request("a", { costUsd: 1, windowTokens: 1_000, sentTokens: 950 }),
      request("b", { costUsd: 3, status: 529, errorCode: "upstream.busy", errorMessage: "overloaded", upstream: "up" }),
      request("b2", { session: "b", status: 529, errorCode: "upstream.busy", upstream: "up", atMs: NOW_MS - 5_000 }),
      request("b3", { session: "b", status: 529, errorCode: "upstream.busy", upstream: "up", atMs: NOW_MS - 5_000 }),
      request("a:1", { parent: "a" }),
    ],
    condensations: [],
    descriptions: [
      { ...described, session: "a", title: "Fix the login", project: "/srv/shop" },
      { ...described, session: "b", title: "Add a search", project: "/srv/api" },
    ],
  });
  await store.keys.create(makeKey({ id: "k1", name: "laptop", limits: { usdPerDay: 10 } }));
  await store.limits.leave("k1", "r", { usd: 9, atMs: NOW_MS });
  const body = '{"model":"opus","messages":[],"note":"sk-abcdefgh1234 hush-hush-hush"}';
  await store.contents.put(makeContent({ requestId: "a", tenant: "", session: "a", before: gzipSync(body) }));
  await store.close();
});
afterAll(async () => {
  await opened.close();
  rmSync(folder, { recursive: true });
});

const get = async (path: string) => (await opened.ask("GET", path)).body;
const named = (sessions: readonly { readonly session: string }[]) => sessions.map(({ session }) => session);

describe("GET /sessions", () => {
  it.each([
    ["text=LOGIN", ["a"]],
    ["project=/srv/api", ["b"]],
    ["failed=yes", ["b"]],
    ["condensed=yes", []],
    ["parent=&sort=costUsd", ["b", "a"]],
    ["parent=&sort=project", ["b", "a"]],
    [`parent=&untilMs=${NOW_MS - 10_000}`, []],
  ])("lists sessions with %s", async (query, expected) => {
    expect(named((await get(`/sessions?${query}`)).sessions)).toEqual(expected);
  });

  it("lists the sub-agents of the page", async () => {
    const { sessions, children } = await get("/sessions?parent=");
    expect([named(sessions).sort(), named(children)]).toEqual([["a", "b"], ["a:1"]]);
  });

  it("continues a sorted list after its last session", async () => {
    const [first] = (await get("/sessions?parent=&sort=costUsd&limit=1")).sessions;
    const after = `beforeValue=${first.costUsd}&beforeMs=${first.lastAtMs}&beforeSession=${first.session}`;
    expect(named((await get(`/sessions?parent=&sort=costUsd&limit=9&${after}`)).sessions)).toEqual(["a"]);
  });

  it("describes one session", async () => {
    const { session } = await get("/session?session=a");
    expect(session).toMatchObject({ title: "Fix the login", project: "/srv/shop", branch: "main", client: "Codex" });
  });

  it("lists the values to filter by", async () => {
    expect(await get("/session-values")).toMatchObject({ clients: ["Codex"], projects: ["/srv/api", "/srv/shop"] });
  });
});

describe("GET /attention", () => {
  it("lists failing upstreams, keys near limits and full windows, with what to look at", async () => {
    const { rows } = await get("/attention");
    expect(rows).toMatchObject([
      { kind: "upstream", upstream: "up", count: 3, errorMessage: "overloaded", requestId: "b" },
      { kind: "key", name: "laptop", limit: "usdPerDay", share: 0.9, max: 10 },
      { kind: "window", session: "a", title: "Fix the login", share: 0.95 },
    ]);
  });
});

describe("GET /requests/:id/repeat", () => {
  it("returns the request without credentials", async () => {
    expect(await get("/requests/a/repeat")).toEqual({
      path: "/v1/messages",
      headers: expect.objectContaining({ "content-type": "application/json", "x-session-id": "a" }),
      body: '{"model":"opus","messages":[],"note":"[redacted] [redacted]"}',
    });
  });

  it("returns 404 if the content is not recorded", async () => {
    expect(await get("/requests/b/repeat")).toMatchObject({ error: { code: "request.not-kept" } });
  });
});
