import { describe, expect, it } from "vitest";
import type { EventBatch, RequestEvent, RequestQuery, SessionSummary } from "../contract/events.ts";
import type { StoreOpener } from "./describe-store.ts";
import { makeCondensationEvent, makeContent, makeRequestEvent, makeSession } from "./make.ts";

const HOUR_MS = 3_600_000;

export function describeEvents({ open }: StoreOpener): void {
  describe("requests", () => {
    it("are returned as stored, latest first", async () => {
      const { events } = await open();
      const full = makeRequestEvent({
        id: "full",
        atMs: 1_760_000_000_001.5,
        status: 529,
        errorCode: "upstream.busy",
        isGone: true,
        strategy: "smart",
        origin: "reused",
        savedUsd: -0.1,
        warnings: ['a "quoted" one', "漢字"],
        anatomy: {},
      });
      await events.add(makeBatch([makeRequestEvent(), full]));
      expect(await events.requests({ limit: 9 })).toStrictEqual([full, makeRequestEvent()]);
      expect(await events.request("full")).toStrictEqual(full);
      expect(await events.request("absent")).toBeUndefined();
    });

    it("are stored by the hundreds, all or none", async () => {
      const { events } = await open();
      const requests = Array.from({ length: 203 }, (_, index) => makeRequestEvent({ id: `request-${index}` }));
      const broken: RequestEvent = { ...makeRequestEvent({ id: "z" }), ...JSON.parse('{"model": null}') };
      await expect(events.add(makeBatch([...requests, broken]))).rejects.toMatchObject({ name: "LonghaulError" });
      expect(await events.requests({ limit: 999 })).toEqual([]);
      expect(await events.sessions({ limit: 9 })).toEqual([]);
      await events.add(makeBatch(requests));
      expect(await events.requests({ limit: 999 })).toHaveLength(203);
      expect(await events.sessions({ limit: 9 })).toMatchObject([{ requests: 203 }]);
    });

    it("are paged without gaps, even with equal times", async () => {
      const { events } = await open();
      const requests = Array.from({ length: 10 }, (_, index) =>
        makeRequestEvent({ id: `request-${index}`, atMs: Math.floor(index / 4) }),
      );
      await events.add(makeBatch(requests));
      const seen: RequestEvent[] = [];
      for (;;) {
        const before = seen.at(-1);
        const page = await events.requests({
          limit: 3,
          ...(before && { before: { atMs: before.atMs, id: before.id } }),
        });
        seen.push(...page);
        if (page.length < 3) break;
      }
      expect(seen).toEqual(requests.toReversed());
    });

    it.each<[Omit<RequestQuery, "limit">, string[]]>([
      [{ tenant: "other" }, ["b"]],
      [{ session: "other" }, ["c"]],
      [{ keyId: "other" }, ["d"]],
      [{ model: "other" }, ["e"]],
      [{ hasFailed: true }, ["g", "f"]],
      [{ hasFailed: false }, ["e", "d", "c", "b", "a"]],
      [{ tenant: "tenant", session: "session", keyId: "key", model: "opus", hasFailed: false }, ["a"]],
      [{ tenant: "other", session: "other" }, []],
    ])("are filtered by %j", async (query, expected) => {
      const { events } = await open();
      const fields = [{}, { tenant: "other" }, { session: "other" }, { keyId: "other" }, { model: "other" }];
      const failures = [{ status: 400 }, { errorCode: "upstream.broken" }];
      const requests = [...fields, ...failures].map((each, index) =>
        makeRequestEvent({ id: "abcdefg".charAt(index), atMs: index, ...each }),
      );
      await events.add(makeBatch(requests));
      expect((await events.requests({ limit: 9, ...query })).map(({ id }) => id)).toEqual(expected);
    });
  });

  describe("condensations", () => {
    it("are returned as stored, latest first, and filtered", async () => {
      const { events } = await open();
      const first = makeCondensationEvent({ id: "a", atMs: 1, report: {} });
      const second = makeCondensationEvent({ id: "b", atMs: 2, requestId: "other" });
      const third = makeCondensationEvent({ id: "c", atMs: 2, session: "other", tenant: "other" });
      await events.add({ requests: [], condensations: [second, third, first] });
      expect(await events.condensations({ limit: 9 })).toStrictEqual([third, second, first]);
      expect(await events.condensations({ limit: 1 })).toEqual([third]);
      expect(await events.condensations({ limit: 9, sinceMs: 2, tenant: "tenant" })).toEqual([second]);
      expect(await events.condensations({ limit: 9, requestId: "other" })).toEqual([second]);
      expect(await events.condensations({ limit: 9, session: "other" })).toEqual([third]);
    });
  });

  describe("sessions", () => {
    it("sum up their events and show their latest request", async () => {
      const { events } = await open();
      const condensation = makeCondensationEvent();
      const later = {
        atMs: 1_760_000_000_009,
        model: "sonnet",
        strategy: "native",
        status: 500,
        savedUsd: 1,
        sentTokens: 7,
      };
      const earlier = makeRequestEvent({ id: "early", atMs: 1_760_000_000_000 - 1, model: "haiku" });
      await events.add({ requests: [], condensations: [condensation] });
      expect(await events.sessions({ limit: 9 })).toEqual([]);
      await events.add(makeBatch([makeRequestEvent({ id: "late", ...later }), makeRequestEvent()]));
      await events.add(makeBatch([earlier, makeRequestEvent({ id: "none", session: "" })]));
      expect(await events.sessions({ limit: 9 })).toStrictEqual([
        makeSession({
          firstAtMs: 1_760_000_000_000 - 1,
          lastAtMs: 1_760_000_000_009,
          requests: 3,
          errors: 1,
          costUsd: 0.875,
          savedUsd: 0.875,
          model: "sonnet",
          strategy: "native",
          sentTokens: 7,
        }),
      ]);
    });

    it("are listed with the most recently used first", async () => {
      const { events } = await open();
      const requests = [1, 3, 2].map((atMs) => makeRequestEvent({ id: `${atMs}`, session: `session-${atMs}`, atMs }));
      await events.add(makeBatch([...requests, makeRequestEvent({ id: "4", tenant: "other", atMs: 4 })]));
      const listed = async (query: object) =>
        (await events.sessions({ limit: 9, ...query })).map(({ session }) => session);
      expect(await listed({})).toEqual(["session", "session-3", "session-2", "session-1"]);
      const before = { lastAtMs: 3, session: "session-3", tenant: "tenant" };
      expect(await listed({ tenant: "tenant", before })).toEqual(["session-2", "session-1"]);
      expect(await listed({ limit: 1 })).toEqual(["session"]);
    });

    it("are listed by the session that started them", async () => {
      const { events } = await open();
      const requests = [
        makeRequestEvent({ id: "1", session: "main" }),
        makeRequestEvent({ id: "2", session: "child", parent: "main" }),
        makeRequestEvent({ id: "3", session: "nested", parent: "child" }),
      ];
      await events.add({ requests: [], condensations: [makeCondensationEvent({ session: "child" })] });
      await events.add(makeBatch(requests));
      const listed = async (parent: string) =>
        (await events.sessions({ limit: 9, parent })).map((each) => [each.session, each.parent]);
      expect(await listed("")).toEqual([["main", ""]]);
      expect(await listed("main")).toEqual([["child", "main"]]);
      expect(await listed("child")).toEqual([["nested", "child"]]);
      expect(await events.request("2")).toMatchObject({ session: "child", parent: "main" });
    });

    it("appear on exactly one page, even with equal times", async () => {
      const { events } = await open();
      const owners = ["one", "two"].flatMap((tenant) => ["a", "b", "c"].map((session) => ({ tenant, session })));
      await events.add(makeBatch(owners.map((owner, id) => makeRequestEvent({ id: `${id}`, atMs: 7, ...owner }))));
      const seen: SessionSummary[] = [];
      for (let page = 0; page < owners.length; page++) {
        const last = seen.at(-1);
        seen.push(...(await events.sessions({ limit: 1, ...(last && { before: last }) })));
      }
      expect(seen).toEqual(await events.sessions({ limit: 9 }));
      expect(new Set(seen.map(({ tenant, session }) => `${tenant} ${session}`)).size).toBe(owners.length);
    });

    it("are counted by the hours of a span, with those that had outgrown their window", async () => {
      const { events } = await open();
      const over = { windowTokens: 100, originalTokens: 101 };
      const requests = [
        { atMs: HOUR_MS - 1, ...over },
        { atMs: HOUR_MS },
        { atMs: HOUR_MS, session: "over", ...over },
        { atMs: HOUR_MS, session: "over" },
        { atMs: HOUR_MS, tenant: "other" },
        { atMs: HOUR_MS, session: "", ...over },
        { atMs: HOUR_MS, session: "unknown window", windowTokens: 0, originalTokens: 9 },
        { atMs: HOUR_MS, session: "full window", windowTokens: 100, originalTokens: 100 },
        { atMs: 2 * HOUR_MS, session: "over" },
        { atMs: 3 * HOUR_MS, session: "late" },
      ].map((fields, index) => makeRequestEvent({ id: `request-${index}`, ...fields }));
      for (const request of requests) await events.add(makeBatch([request]));
      const count = (sinceMs: number, untilMs: number) => events.countSessions({ sinceMs, untilMs });
      expect(await count(2 * HOUR_MS - 1, 2 * HOUR_MS + 1)).toEqual({ all: 5, keptAlive: 1 });
      expect(await count(HOUR_MS - 1, 2 * HOUR_MS)).toEqual({ all: 5, keptAlive: 2 });
      expect(await count(9 * HOUR_MS, 9 * HOUR_MS)).toEqual({ all: 0, keptAlive: 0 });
      await events.clear("tenant", "over");
      expect(await count(0, 9 * HOUR_MS)).toEqual({ all: 5, keptAlive: 1 });
      await events.prune(2 * HOUR_MS);
      expect(await count(0, 9 * HOUR_MS)).toEqual({ all: 1, keptAlive: 0 });
    });

    it("are cleared with their events", async () => {
      const { events } = await open();
      const others = [makeRequestEvent({ id: "b", session: "other" }), makeRequestEvent({ id: "c", tenant: "other" })];
      await events.add({ requests: [makeRequestEvent(), ...others], condensations: [makeCondensationEvent()] });
      expect(await events.clear("tenant", "session")).toBe(2);
      expect(await events.clear("tenant", "session")).toBe(0);
      expect((await events.requests({ limit: 9 })).map(({ id }) => id)).toEqual(["c", "b"]);
      expect(await events.condensations({ limit: 9 })).toEqual([]);
      expect(await events.sessions({ limit: 9 })).toHaveLength(2);
    });

    it("are pruned in batches, all of them", async () => {
      const { events } = await open();
      await events.add(makeBatch(Array.from({ length: 250 }, (_, at) => makeRequestEvent({ id: `${at}`, atMs: at }))));
      expect(await events.prune(249)).toBe(249);
      expect((await events.requests({ limit: 9 })).map(({ id }) => id)).toEqual(["249"]);
    });

    it("are pruned with their events", async () => {
      const { events } = await open();
      const requests = [1, 2].map((atMs) => makeRequestEvent({ id: `${atMs}`, session: `session-${atMs}`, atMs }));
      await events.add({ requests, condensations: [makeCondensationEvent({ atMs: 1 })] });
      expect(await events.prune(2)).toBe(2);
      expect(await events.requests({ limit: 9 })).toEqual([requests[1]]);
      expect(await events.condensations({ limit: 9 })).toEqual([]);
      expect((await events.sessions({ limit: 9 })).map(({ session }) => session)).toEqual(["session-2"]);
    });
  });
}

function makeBatch(requests: readonly RequestEvent[]): EventBatch {
  return { requests, condensations: [] };
}

export function describeContents({ open }: StoreOpener): void {
  describe("contents", () => {
    it("are returned byte for byte", async () => {
      const { contents } = await open();
      const all = new Uint8Array(256).map((_, index) => index);
      const full = makeContent({ requestId: "full", before: all, after: all.toReversed() });
      const empty = makeContent({ requestId: "empty", before: new Uint8Array(), after: new Uint8Array() });
      for (const content of [makeContent(), full, empty]) await contents.put(content);
      expect(await contents.find("request")).toStrictEqual(makeContent());
      expect(await contents.find("full")).toStrictEqual(full);
      expect(await contents.find("empty")).toStrictEqual(empty);
      expect(await contents.find("absent")).toBeUndefined();
    });

    it("are replaced by request", async () => {
      const { contents } = await open();
      await contents.put(makeContent({ after: new Uint8Array([1]) }));
      await contents.put(makeContent({ before: new Uint8Array([2]), session: "other" }));
      expect(await contents.find("request")).toStrictEqual(
        makeContent({ before: new Uint8Array([2]), session: "other" }),
      );
    });

    it("are cleared with their session", async () => {
      const { contents } = await open();
      await contents.put(makeContent({ requestId: "1" }));
      await contents.put(makeContent({ requestId: "2" }));
      await contents.put(makeContent({ requestId: "3", session: "other" }));
      await contents.put(makeContent({ requestId: "4", tenant: "other" }));
      expect(await contents.clear("tenant", "session")).toBe(2);
      const left = await Promise.all(["1", "2", "3", "4"].map((id) => contents.find(id)));
      expect(left.map((content) => content?.requestId)).toEqual([undefined, undefined, "3", "4"]);
    });

    it("are pruned if they are old, then oldest first over the size limit", async () => {
      const { contents } = await open();
      for (const atMs of [1, 2, 3, 4]) {
        const bytes = new Uint8Array(atMs * 10);
        await contents.put(makeContent({ requestId: `${atMs}`, atMs, before: bytes, after: bytes }));
      }
      expect(await contents.prune(2, 180)).toBe(1);
      expect(await contents.prune(2, 179)).toBe(1);
      expect(await contents.find("2")).toBeUndefined();
      expect(await contents.prune(0, 0)).toBe(2);
    });
  });
}
