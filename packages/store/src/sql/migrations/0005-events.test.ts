import { sql } from "kysely";
import { expect, it } from "vitest";
import { openEmptyDatabase } from "../../testing/open-database.ts";
import { events } from "./0005-events.ts";

// What these tables keep is in migrations.test.ts.
it("makes an index for every way in which events are asked for", async () => {
  const database = openEmptyDatabase();
  await events.run(database);
  const { rows } = await sql<{ readonly name: string }>`select name from sqlite_schema
    where type = 'index' and name like '%by%' order by name`.execute(database);
  expect(rows.map(({ name }) => name)).toEqual([
    "condensations_by_request",
    "condensations_by_session",
    "condensations_by_time",
    "requests_by_key",
    "requests_by_session",
    "requests_by_time",
    "session_hours_by_session",
    "sessions_by_use",
  ]);
  await database.destroy();
});
