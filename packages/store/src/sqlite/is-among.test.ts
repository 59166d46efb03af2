import { sql } from "kysely";
import { expect, it } from "vitest";
import { openEmptyDatabase } from "../testing/open-database.ts";
import { isAmong } from "./is-among.ts";

it.each([[[]], [["one"]], [["a", 'b"', "c'; --", "[]", "{}", "1", "null", "漢字\n"]]])(
  "is true for each of %j, and for nothing else",
  async (texts) => {
    const database = openEmptyDatabase();
    for (const text of [...texts, "other", "A"]) {
      const { rows } = await sql<{ found: number }>`
        select ${isAmong("value", texts)} as found from (select ${text} as value)`.execute(database);
      expect(rows).toEqual([{ found: texts.includes(text) ? 1 : 0 }]);
    }
    await database.destroy();
  },
);
