import { describe, expect, it } from "vitest";
import { makeCondensationEvent, makeRequestEvent, makeSession } from "../testing/make.ts";
import { makeEngine, openDatabase } from "../testing/open-database.ts";
import { readSessions } from "./read-sessions.ts";
import { countSessions, INTO_SESSION_HOURS, INTO_SESSIONS, sessionHours, sessionRows } from "./sessions.ts";

it("merges a condensation and its request in either order", async () => {
  const database = await openDatabase();
  const { insertRows } = makeEngine(database);
  const add = (session: string, ...kinds: readonly ("request" | "condensation")[]) =>
    database.transaction().execute(async (transaction) => {
      for (const kind of kinds) {
        const rows = sessionRows({
          requests: kind === "request" ? [makeRequestEvent({ session, atMs: 0 })] : [],
          condensations: kind === "condensation" ? [makeCondensationEvent({ session, atMs: 9 })] : [],
        });
        await insertRows(transaction, INTO_SESSIONS, rows);
      }
    });
  await add("forth", "request", "condensation");
  await add("back", "condensation", "request");
  const expected = ["back", "forth"].map((session) => makeSession({ session, firstAtMs: 0, lastAtMs: 0 }));
  const read = await readSessions(database, { limit: 9 });
  expect([...read].sort((left, right) => (left.session < right.session ? -1 : 1))).toEqual(expected);
  await database.destroy();
});

describe("sessionRows", () => {
  it("merges the events of one session", () => {
    const batch = { requests: [makeRequestEvent()], condensations: [makeCondensationEvent()] };
    expect(sessionRows(batch)).toEqual([makeSession()]);
  });

  it("has the fields of the latest request, in any order", () => {
    const requests = [5, 9, 7].map((atMs) => makeRequestEvent({ id: `${atMs}`, atMs, model: `model-${atMs}` }));
    expect(sessionRows({ requests, condensations: [] })).toMatchObject([
      { firstAtMs: 5, lastAtMs: 9, model: "model-9", requests: 3 },
    ]);
  });

  it("counts only the cost of a request that the client makes for itself", () => {
    const turn = makeRequestEvent({ id: "a", atMs: 5, model: "large" });
    const aside = makeRequestEvent({ id: "b", atMs: 9, model: "small", action: "aside", costUsd: 1 });
    expect(sessionRows({ requests: [turn, aside], condensations: [] })).toMatchObject([
      { requests: 1, lastAtMs: 5, model: "large", costUsd: turn.costUsd + 1 },
    ]);
  });

  it("has the same order for any order of events", () => {
    const requests = ["b", "a", "c"].map((session) => makeRequestEvent({ id: session, session }));
    const ordered = sessionRows({ requests, condensations: [] });
    expect(ordered.map(({ session }) => session)).toEqual(["a", "b", "c"]);
    expect(sessionRows({ requests: requests.toReversed(), condensations: [] })).toEqual(ordered);
  });

  it("counts only the cost of a condensation without a result", () => {
    const { tokensBefore, costUsd } = makeCondensationEvent();
    const condensations = [makeCondensationEvent({ tokensAfter: tokensBefore })];
    expect(sessionRows({ requests: [], condensations })).toMatchObject([
      { condensations: 0, costUsd, savedUsd: -costUsd },
    ]);
  });

  it("skips events without a session", () => {
    const batch = {
      requests: [makeRequestEvent({ session: "" })],
      condensations: [makeCondensationEvent({ session: "" })],
    };
    expect(sessionRows(batch)).toEqual([]);
  });
});

const OVER = { windowTokens: 1, originalTokens: 2 };

it("stores one row per session and hour, which stays marked once a window was outgrown", async () => {
  const database = await openDatabase();
  const { insertRows } = makeEngine(database);
  const batches = [[{}], [{}, OVER, {}], [{}], [{ session: "" }]];
  for (const batch of batches) {
    const requests = batch.map((fields) => makeRequestEvent({ atMs: 7, ...fields }));
    await database
      .transaction()
      .execute((transaction) =>
        insertRows(transaction, INTO_SESSION_HOURS, sessionHours({ requests, condensations: [] })),
      );
  }
  const rows = await database.selectFrom("sessionHours").selectAll().execute();
  expect(rows.map((row) => ({ ...row }))).toEqual([{ atMs: 0, session: "session", tenant: "tenant", isOverWindow: 1 }]);
  expect(await countSessions(database, { sinceMs: 0, untilMs: 1 })).toEqual({ all: 1, keptAlive: 1 });
  await database.destroy();
});
