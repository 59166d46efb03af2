import { sql } from "kysely";
import { expect, it } from "vitest";
import { openEmptyDatabase } from "../../testing/open-database.ts";
import { events } from "./0005-events.ts";
import { sessionParents } from "./0006-session-parents.ts";

it("makes every earlier session a main thread", async () => {
  const database = openEmptyDatabase();
  await events.run(database);
  await sql`insert into sessions values ('t', 's', 1, 1, 1, 0, 0, 0, 0, 'm', 'u', '', 0, 0, 0)`.execute(database);
  await sessionParents.run(database);
  const { rows } = await sql`select session, parent from sessions`.execute(database);
  expect(rows).toEqual([{ session: "s", parent: "" }]);
  await database.destroy();
});
