import { sql } from "kysely";
import { expect, it } from "vitest";
import { openEmptyDatabase } from "../../testing/open-database.ts";
import { epochsWindowsCalibrations } from "./0001-epochs-windows-calibrations.ts";
import { evidence } from "./0007-evidence.ts";

it("drops epochs that do not say what they were made from, and adds the columns that do", async () => {
  const database = openEmptyDatabase();
  await epochsWindowsCalibrations.run(database);
  await sql`insert into epochs values ('s', 'p', 1, 0, 0, 9, 0, 0, 9, 1, 5, 0, 't', 'u', 'v', 'm', 'native', '{}')`.execute(
    database,
  );
  await evidence.run(database);
  const [epochs] = await database
    .withoutPlugins()
    .introspection.getTables()
    .then((all) => all.filter(({ name }) => name === "epochs"));
  expect(epochs?.columns.slice(-3).map(({ name, isNullable }) => [name, isNullable])).toEqual([
    ["projection", false],
    ["bound", false],
    ["evidence", false],
  ]);
  const { rows } = await sql`select * from epochs`.execute(database);
  expect(rows).toEqual([]);
  await database.destroy();
});
