import { expect, it } from "vitest";
import { makeRequestEvent } from "../testing/make.ts";
import { makeEngine, openDatabase } from "../testing/open-database.ts";
import { countSessions, INTO_SESSION_HOURS, sessionHours } from "./session-hours.ts";

const OVER = { windowTokens: 1, originalTokens: 2 };

// What every store does with sessions is in testing/describe-events.ts.
it("keeps a row for each hour of a session, which never forgets that a window was outgrown", async () => {
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
