import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@longhaul/store";
import { makeCondensationEvent, makeRequestEvent } from "@longhaul/store/testing";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AdminServer, openAdminServer } from "../testing/admin-server.ts";
import { noTotals, sumByGroup, sumTotals } from "./event-routes.ts";

const HOUR_MS = 60 * 60_000;
/** The middle of an hour of UTC. */
const NOW_MS = 500_000 * HOUR_MS + HOUR_MS / 2;

describe("event routes", () => {
  let folder: string;
  let opened: AdminServer;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "longhaul-events-"));
    const path = join(folder, "kept.db");
    opened = await openAdminServer({ store: { path } });
    const one = { tenant: "", session: "one", model: "m1" };
    const requests = [
      makeRequestEvent({ ...one, id: "a", atMs: NOW_MS - 2 * HOUR_MS, sentTokens: 10 }),
      makeRequestEvent({ ...one, id: "b", atMs: NOW_MS - HOUR_MS, errorCode: "upstream.busy" }),
      makeRequestEvent({ id: "c", atMs: NOW_MS, tenant: "", session: "two", model: "m2" }),
    ];
    const condensations = [makeCondensationEvent({ ...one, id: "x", requestId: "b", atMs: NOW_MS - HOUR_MS })];
    const store = await openStore({ path, nowMs: () => NOW_MS });
    const described = { project: "", branch: "", client: "", clientVersion: "" };
    const descriptions = [
      { ...described, tenant: "", session: "one", title: "Fix the login" },
      { ...described, tenant: "other", session: "one", title: "Words of another tenant" },
    ];
    await store.events.add({ requests, condensations, descriptions });
    await store.close();
  });
  afterEach(async () => {
    await opened.close();
    rmSync(folder, { recursive: true });
  });

  it("lists requests by pages, latest first", async () => {
    const first = await get("/events?limit=2");
    expect(first.requests.map(({ id }: { id: string }) => id)).toEqual(["c", "b"]);
    const last = first.requests.at(-1);
    const next = await get(`/events?limit=2&beforeMs=${last?.atMs}&beforeId=${last?.id}`);
    expect(next.requests.map(({ id }: { id: string }) => id)).toEqual(["a"]);
  });

  it.each([
    ["session=one", ["b", "a"]],
    ["model=m2", ["c"]],
    ["failed=yes", ["b"]],
    ["failed=no", ["c", "a"]],
  ])("lists requests of %s", async (query, ids) => {
    const { requests } = await get(`/events?${query}`);
    expect(requests.map(({ id }: { id: string }) => id)).toEqual(ids);
  });

  it("lists requests with the titles of their sessions", async () => {
    const { requests } = await get("/events");
    expect(requests.map(({ title }: { title: string }) => title)).toEqual(["", "Fix the login", "Fix the login"]);
  });

  it("lists sessions by pages, most recently used first", async () => {
    const [first] = (await get("/sessions?limit=1")).sessions;
    const after = `beforeMs=${first.lastAtMs}&beforeSession=${first.session}&beforeTenant=${first.tenant}`;
    const { sessions } = await get(`/sessions?limit=9&${after}`);
    expect([first, ...sessions]).toEqual((await get("/sessions")).sessions);
    expect(sessions).toHaveLength(1);
  });

  it("lists sessions, and returns the turns of one, oldest first", async () => {
    const { sessions } = await get("/sessions");
    expect(sessions).toMatchObject([
      { session: "two", requests: 1 },
      { session: "one", requests: 2, condensations: 1 },
    ]);
    const detail = await get("/session?session=one");
    expect(detail).toMatchObject({ turns: [{ id: "a" }, { id: "b" }], condensations: [{ id: "x" }], isCut: false });
  });

  it("returns 404 for an unknown session", async () => {
    expect(await get("/session?session=other")).toMatchObject({ error: { code: "request.not-kept" } });
  });

  it("deletes a session and keeps its totals", async () => {
    expect((await opened.ask("DELETE", "/session?session=one")).body).toMatchObject({
      events: 3,
      contents: 0,
      epochs: 0,
    });
    const { sessions } = await get("/sessions");
    expect(sessions.map(({ session }: { session: string }) => session)).toEqual(["two"]);
    const { all } = await get(`/analytics?untilMs=${NOW_MS + 1}`);
    expect(all.requests).toBe(3);
  });

  it("returns the totals of a time span, over time and by group", async () => {
    const sums = await get(`/analytics?untilMs=${NOW_MS + 1}`);
    expect(sums).toMatchObject({ bucket: "hour", all: { requests: 3, errors: 1, condensations: 1 } });
    expect(sums.overTime.map(({ requests }: { requests: number }) => requests)).toEqual([1, 1, 1]);
    expect(sums.byModel.map(({ group, requests }: { group: string; requests: number }) => [group, requests])).toEqual([
      ["m1", 2],
      ["m2", 1],
    ]);
    expect(sums.sessions.all).toBe(2);
    expect(sums.before.requests).toBe(0);
  });

  it("uses days for long spans", async () => {
    const sums = await get(`/analytics?untilMs=${NOW_MS + 1}&sinceMs=${NOW_MS - 200 * HOUR_MS}`);
    expect(sums.bucket).toBe("day");
    expect(sums.all.requests).toBe(3);
  });

  it.each(["/events?limit=0", "/events?limit=x", "/events?other=1", "/analytics?bucket=week"])(
    "refuses %s",
    async (path) => {
      expect(await get(path)).toMatchObject({ error: { code: "request.malformed", faults: [{}] } });
    },
  );

  async function get(path: string) {
    return (await opened.ask("GET", path)).body;
  }
});

describe("totals", () => {
  it("add every measure", () => {
    const one = Object.fromEntries(
      Object.entries(noTotals(5, "a")).map(([name, value]) => [name, typeof value === "number" ? 1 : value]),
    );
    const totals = { ...noTotals(1, "a"), ...one };
    const { atMs, group, ...figures } = sumTotals([totals, totals, totals], "all");
    expect([atMs, group]).toEqual([1, "all"]);
    expect(new Set(Object.values(figures))).toEqual(new Set([3]));
    expect(Object.keys(figures)).toHaveLength(16);
  });

  it("lose nothing between groups", () => {
    const any = fc.record({ group: fc.constantFrom("a", "b", ""), requests: fc.nat(100) });
    fc.assert(
      fc.property(fc.array(any), (rows) => {
        const all = rows.map((row) => ({ ...noTotals(0, row.group), ...row }));
        const summed = sumByGroup(all);
        expect(sumTotals(summed, "").requests).toBe(sumTotals(all, "").requests);
        expect(summed).toHaveLength(new Set(rows.map(({ group }) => group)).size);
      }),
    );
  });
});
