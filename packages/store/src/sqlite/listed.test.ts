import { expect, it } from "vitest";
import { openEmptyDatabase } from "../testing/open-database.ts";
import { listed } from "./listed.ts";

it.each([[[]], [["one"]], [["a", 'b"', "c'; --", "[]", "{}", "1", "null", "漢字\n"]]])(
  "lists %j as rows",
  async (texts) => {
    const database = openEmptyDatabase();
    const rows = await database.selectFrom(listed(texts)).select("listed.value").execute();
    expect(rows.map(({ value }) => value)).toEqual(texts);
    await database.destroy();
  },
);
