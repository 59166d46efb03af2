import { describe, expect, it } from "vitest";
import type { Events, RequestEvent, SessionDescription, SessionQuery, SessionSummary } from "../contract/events.ts";
import type { StoreOpener } from "./describe-store.ts";
import { makeCondensationEvent, makeRequestEvent, makeSession } from "./make.ts";

export function describeSessions({ open }: StoreOpener): void {
  describe("described sessions", () => {
    it("keep the first title, and gain texts that were unknown", async () => {
      const { events } = await open();
      const first = makeDescription({ title: "Fix the login", client: "Claude Code", clientVersion: "2.1" });
      await events.add({ requests: [], condensations: [], descriptions: [first] });
      expect(await events.sessions({ limit: 9 })).toEqual([]);
      expect(await events.session("tenant", "session")).toBeUndefined();
      const later = [makeDescription({ title: "Other", project: "/srv/app" }), makeDescription({ branch: "main" })];
      await events.add({ requests: [makeRequestEvent()], condensations: [], descriptions: later });
      await events.add({ requests: [], condensations: [makeCondensationEvent()] });
      const known = { title: "Fix the login", project: "/srv/app", branch: "main" };
      const described = makeSession({ ...known, client: "Claude Code", clientVersion: "2.1" });
      expect(await events.sessions({ limit: 9 })).toStrictEqual([described]);
      expect(await events.session("tenant", "session")).toStrictEqual(described);
      expect(await events.session("other", "session")).toBeUndefined();
    });

    it.each<[Omit<SessionQuery, "limit">, string]>([
      [{ text: "login" }, "a"],
      [{ text: "LOGIN fix" }, "a"],
      [{ text: "shop" }, "ba"],
      [{ text: "100%" }, "b"],
      [{ text: "0_a" }, ""],
      [{ text: "feature/x" }, "c"],
      [{ names: ["d", "a", "z"] }, "da"],
      [{ names: ["a"], tenant: "other" }, ""],
      [{ project: "/srv/shop" }, "ba"],
      [{ client: "Codex" }, "c"],
      [{ model: "gpt-5" }, "c"],
      [{ keyId: "k2" }, "b"],
      [{ upstream: "other" }, "d"],
      [{ isCondensed: true }, "d"],
      [{ isCondensed: false, hasFailed: false }, "ca"],
      [{ hasFailed: true }, "b"],
      [{ sinceMs: 30 }, "dc"],
      [{ untilMs: 30 }, "ba"],
      [{ sinceMs: 20, untilMs: 40 }, "cb"],
    ])("are filtered by %j", async (query, expected) => {
      const { events } = await open();
      await addFour(events);
      expect(namesOf(await events.sessions({ limit: 9, ...query }))).toBe(expected);
    });

    it.each<[SessionQuery["sort"], string]>([
      ["lastAtMs", "dcba"],
      ["firstAtMs", "dcba"],
      ["costUsd", "bacd"],
      ["requests", "adcb"],
      ["project", "dcba"],
    ])("are sorted by %s and paged without gaps", async (sort = "lastAtMs", expected) => {
      const { events } = await open();
      await addFour(events);
      await events.add({ requests: [makeRequestEvent({ id: "a2", session: "a", atMs: 5 })], condensations: [] });
      const seen: SessionSummary[] = [];
      for (let page = 0; page < 5; page++) {
        const last = seen.at(-1);
        const before = last && { ...last, value: last[sort] };
        seen.push(...(await events.sessions({ limit: 1, sort, ...(before && { before }) })));
      }
      expect(namesOf(seen)).toBe(expected);
    });

    it("are main threads if their parent is not stored", async () => {
      const { events } = await open();
      const requests = [
        makeRequestEvent({ id: "1", session: "main" }),
        makeRequestEvent({ id: "2", session: "child", parent: "main" }),
        makeRequestEvent({ id: "3", session: "orphan", parent: "gone" }),
      ];
      await events.add({ requests, condensations: [] });
      const main = await events.sessions({ limit: 9, parent: "" });
      expect(main.map(({ session }) => session).sort()).toEqual(["main", "orphan"]);
    });

    it("have values to filter by", async () => {
      const { events } = await open();
      await addFour(events);
      expect(await events.sessionValues()).toEqual({
        clients: ["Claude Code", "Codex"],
        projects: ["/srv/api", "/srv/shop"],
        models: ["gpt-5", "opus"],
        keyIds: ["k2", "key"],
      });
    });
  });

  describe("activity", () => {
    it("includes the latest successful turns of each session", async () => {
      const { events } = await open();
      const turns = Array.from({ length: 6 }, (_, atMs) =>
        makeRequestEvent({ id: `${atMs}`, atMs, cacheReadTokens: atMs }),
      );
      const other = makeRequestEvent({ id: "o", session: "other", atMs: 3, origin: "new" });
      const skipped = [
        { id: "f", status: 500 },
        { id: "c", action: "count-tokens" },
        { id: "n", session: "" },
      ];
      const requests = [...turns, other, ...skipped.map((fields) => makeRequestEvent({ atMs: 9, ...fields }))];
      await events.add({ requests, condensations: [] });
      const latest = await events.latestTurns(1);
      expect(latest.map(({ session, atMs }) => `${session} ${atMs}`).sort()).toEqual([
        "other 3",
        ...[2, 3, 4, 5].map((atMs) => `session ${atMs}`),
      ]);
      const { tenant, session, atMs, inputTokens, cacheReadTokens, cacheWriteTokens, origin } = other;
      const expected = { tenant, session, atMs, inputTokens, cacheReadTokens, cacheWriteTokens, origin };
      expect(latest.find((turn) => turn.session === "other")).toStrictEqual(expected);
    });

    it("counts failures by upstream and code, most frequent first", async () => {
      const { events } = await open();
      const failed = (id: string, atMs: number, fields: Partial<RequestEvent>) =>
        makeRequestEvent({ id, atMs, status: 500, ...fields });
      const requests = [
        failed("1", 1, { errorCode: "upstream.busy" }),
        failed("2", 2, { errorCode: "upstream.busy" }),
        failed("3", 3, { upstream: "", errorCode: "auth.missing" }),
        failed("4", 9, { errorCode: "upstream.busy" }),
        makeRequestEvent({ id: "5", atMs: 2 }),
      ];
      await events.add({ requests, condensations: [] });
      expect(await events.failures({ sinceMs: 1, untilMs: 9 })).toStrictEqual([
        { upstream: "claude", errorCode: "upstream.busy", requests: 2, lastAtMs: 2 },
        { upstream: "", errorCode: "auth.missing", requests: 1, lastAtMs: 3 },
      ]);
    });

    it("has percentiles of added latency and first byte", async () => {
      const { events } = await open();
      const requests = Array.from({ length: 100 }, (_, index) =>
        makeRequestEvent({ id: `${index}`, atMs: index, addedMs: index + 1, firstByteMs: 10 * (index + 1) }),
      );
      await events.add({
        requests: [...requests, makeRequestEvent({ id: "x", atMs: 5, action: "pass" })],
        condensations: [],
      });
      expect(await events.latencies({ sinceMs: 0, untilMs: 100 })).toEqual({
        requests: 100,
        addedMs: { p50: 50, p95: 95, p99: 99 },
        firstByteMs: { p50: 500, p95: 950, p99: 990 },
      });
      const none = { p50: 0, p95: 0, p99: 0 };
      expect(await events.latencies({ sinceMs: 500, untilMs: 900 })).toEqual({
        requests: 0,
        addedMs: none,
        firstByteMs: none,
      });
    });
  });
}

/** Adds sessions `a` to `d`, used at 10, 20, 30 and 40. */
async function addFour(events: Events): Promise<void> {
  const fields: Readonly<Record<string, Partial<RequestEvent>>> = {
    a: { costUsd: 2 },
    b: { costUsd: 3, status: 500, keyId: "k2" },
    c: { costUsd: 1, model: "gpt-5" },
    d: { costUsd: 0, upstream: "other" },
  };
  await events.add({
    requests: Object.entries(fields).map(([session, more], index) =>
      makeRequestEvent({ id: session, session, atMs: 10 * (index + 1), ...more }),
    ),
    condensations: [makeCondensationEvent({ session: "d", costUsd: 0 })],
    descriptions: [
      makeDescription({ session: "a", title: "Fix the Login", project: "/srv/shop", client: "Claude Code" }),
      makeDescription({ session: "b", title: "Speed up by 100%", project: "/srv/shop", client: "Claude Code" }),
      makeDescription({
        session: "c",
        title: "Add 10 apples",
        project: "/srv/api",
        client: "Codex",
        branch: "feature/x",
      }),
    ],
  });
}

function makeDescription(fields: Partial<SessionDescription>): SessionDescription {
  const unknown = { title: "", project: "", branch: "", client: "", clientVersion: "" };
  return { tenant: "tenant", session: "session", ...unknown, ...fields };
}

function namesOf(sessions: readonly SessionSummary[]): string {
  return sessions.map(({ session }) => session).join("");
}
