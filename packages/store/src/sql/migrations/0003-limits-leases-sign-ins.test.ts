import { expect, it } from "vitest";
import { openEmptyDatabase } from "../../testing/open-database.ts";
import { limitsLeasesSignIns } from "./0003-limits-leases-sign-ins.ts";

// What these tables keep is in migrations.test.ts.
it("makes tables whose every column is needed", async () => {
  const database = openEmptyDatabase();
  await limitsLeasesSignIns.run(database);
  const tables = await database.withoutPlugins().introspection.getTables();
  expect(tables).toHaveLength(6);
  expect(tables.flatMap(({ columns }) => columns.filter(({ isNullable }) => isNullable))).toEqual([]);
  await database.destroy();
});
