import { expect, it } from "vitest";
import { openEmptyDatabase } from "../../testing/open-database.ts";
import { contents } from "./0004-contents.ts";

// What this table keeps is in migrations.test.ts.
it("puts what is wide last, and may leave out what was sent", async () => {
  const database = openEmptyDatabase();
  await contents.run(database);
  const [table] = await database.withoutPlugins().introspection.getTables();
  expect(table?.columns.slice(-3).map(({ name, isNullable }) => [name, isNullable])).toEqual([
    ["bytes", false],
    ["before", false],
    ["after", true],
  ]);
  await database.destroy();
});
