import { sql } from "kysely";
import { expect, it } from "vitest";
import { openEmptyDatabase } from "../../testing/open-database.ts";
import { makeTable } from "./make-table.ts";

it("makes columns in order, of which only optional ones may be null, and a key", async () => {
  const database = openEmptyDatabase();
  await makeTable(database.schema, "longWords", {
    columns: { word: "text", atMs: "double precision", shape: "bytea" },
    key: ["word", "atMs"],
    optional: ["shape"],
  });
  const [table] = await database.withoutPlugins().introspection.getTables();
  expect(table?.name).toBe("long_words");
  expect(table?.columns.map(({ name, dataType, isNullable }) => [name, dataType.toLowerCase(), isNullable])).toEqual([
    ["word", "text", false],
    ["at_ms", "double precision", false],
    ["shape", "bytea", true],
  ]);
  const { rows } = await sql`select name from pragma_table_info('long_words') where pk > 0 order by pk`.execute(
    database,
  );
  expect(rows.map((row) => Object.assign({}, row))).toEqual([{ name: "word" }, { name: "at_ms" }]);
  await database.destroy();
});
