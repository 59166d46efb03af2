import { expect, it } from "vitest";
import { makeCondensationEvent, makeRequestEvent, makeSession } from "../testing/make.ts";
import { makeEngine, openDatabase } from "../testing/open-database.ts";
import { sessionRows } from "./session-rows.ts";
import { INTO_SESSIONS, readSessions } from "./sessions.ts";

// What every store does with sessions is in testing/describe-events.ts.
it("joins a condensation and its request, whichever comes first", async () => {
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
