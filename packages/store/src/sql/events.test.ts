import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Events } from "../contract/events.ts";
import { makeCondensationEvent, makeRequestEvent } from "../testing/make.ts";
import { explainQueries, makeEngine, openDatabase } from "../testing/open-database.ts";
import { addEvents, condensationOf, condensationRowOf, makeEvents, requestOf, requestRowOf } from "./events.ts";
import type { Database } from "./tables.ts";

const COUNT = 10_000;
const MINUTE_MS = 60_000;
const span = { sinceMs: 9_000 * MINUTE_MS, untilMs: 9_060 * MINUTE_MS };

describe("makeEvents with ten thousand requests", () => {
  let connection: DatabaseSync;
  let database: Database;
  let events: Events;
  beforeAll(async () => {
    connection = new DatabaseSync(":memory:");
    database = await openDatabase(connection);
    events = makeEvents(makeEngine(database));
    const requests = Array.from({ length: COUNT }, (_, index) =>
      makeRequestEvent({ id: `request-${index}`, atMs: index * MINUTE_MS, session: `session-${index % 500}` }),
    );
    const condensations = requests
      .filter((_, index) => index % 10 === 0)
      .map(({ id, atMs, session }) => makeCondensationEvent({ id, requestId: id, atMs, session }));
    await events.add({ requests, condensations });
  });
  afterAll(() => database.destroy());

  it.each<[string, RegExp, () => Promise<unknown>]>([
    ["one request", /^SEARCH requests USING INDEX \w+ \(id=\?\)$/, () => events.request("request-7")],
    ["the latest requests", /^SCAN requests USING INDEX requests_by_time$/, () => events.requests({ limit: 50 })],
    [
      "the next page",
      /^SEARCH requests USING INDEX requests_by_time \(/,
      () => events.requests({ limit: 50, before: { atMs: MINUTE_MS, id: "x" }, model: "opus" }),
    ],
    [
      "a session's requests",
      /^SEARCH requests USING INDEX requests_by_session \(session=\?/,
      () => events.requests({ limit: 50, tenant: "tenant", session: "session-7" }),
    ],
    [
      "a key's requests",
      /^SEARCH requests USING INDEX requests_by_key \(key_id=\?\)$/,
      () => events.requests({ limit: 50, keyId: "key" }),
    ],
    [
      "a request's condensations",
      /^SEARCH condensations USING INDEX condensations_by_request \(request_id=\?\)$/,
      () => events.condensations({ limit: 50, requestId: "request-10" }),
    ],
    [
      "condensations since a time",
      /^SEARCH condensations USING INDEX condensations_by_time \(at_ms>\?\)$/,
      () => events.condensations({ limit: 50, sinceMs: 1 }),
    ],
    [
      "the most recently used sessions",
      /^SEARCH sessions USING INDEX sessions_by_use \(last_at_ms>\?\)$/,
      () => events.sessions({ limit: 50 }),
    ],
    [
      "the number of sessions",
      /^SEARCH session_hours USING INDEX \w+ \(at_ms>\? AND at_ms<\?\)$/,
      () => events.countSessions(span),
    ],
    [
      "sums",
      /^SEARCH totals USING INDEX \w+ \(bucket=\? AND at_ms>\? AND at_ms<\?\)$/,
      () => events.totals({ bucket: "hour", ...span, by: "model", tenant: "tenant" }),
    ],
  ])("reads %s by index", async (_, step, read) => {
    expect(await explainQueries(connection, read)).toContainEqual(expect.stringMatching(step));
  });

  it("reads requests in index order without sorting", async () => {
    const plans = await explainQueries(connection, async () => {
      await events.requests({ limit: 51 });
      await events.requests({ limit: 51, session: "session-7" });
      await events.requests({ limit: 51, keyId: "key", hasFailed: true });
    });
    expect(plans.filter((step) => step.includes("TEMP B-TREE"))).toEqual([]);
  });

  it("clears and prunes by index", async () => {
    const plans = await explainQueries(connection, async () => {
      await events.clear("tenant", "session-7");
      await events.prune(5 * MINUTE_MS);
    });
    expect(plans.length).toBeGreaterThanOrEqual(7);
    expect(plans.filter((step) => !/^(?:SEARCH|LIST SUBQUERY) /.test(step))).toEqual([]);
  });
});

it("begins no transaction for an empty batch", async () => {
  const database = await openDatabase();
  await database.destroy();
  await expect(addEvents(makeEngine(database), { requests: [], condensations: [] })).resolves.toBeUndefined();
  await expect(
    addEvents(makeEngine(database), { requests: [makeRequestEvent()], condensations: [] }),
  ).rejects.toThrow();
});

describe("event rows", () => {
  it("keep all fields of an event", () => {
    const event = makeRequestEvent({ isGone: true, warnings: ["a"], status: 500, windowTokens: 1 });
    expect(requestOf(requestRowOf(event))).toStrictEqual(event);
    expect(condensationOf(condensationRowOf(makeCondensationEvent()))).toStrictEqual(makeCondensationEvent());
  });

  it("read unparsable JSON columns as empty", () => {
    const row = { ...requestRowOf(makeRequestEvent()), warnings: "{", anatomy: "[" };
    expect(requestOf(row)).toStrictEqual(makeRequestEvent({ warnings: [], anatomy: {} }));
    const condensation = { ...condensationRowOf(makeCondensationEvent()), report: "" };
    expect(condensationOf(condensation)).toStrictEqual(makeCondensationEvent({ report: {} }));
  });
});
