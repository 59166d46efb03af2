import { DatabaseSync } from "node:sqlite";
import { expect, it, vi } from "vitest";
import { makeStatements } from "./statements.ts";

it("returns rows, or the number of changed rows", () => {
  const execute = makeStatements(new DatabaseSync(":memory:"));
  execute("create table words (word text, bytes blob)", []);
  expect(execute("insert into words values (?, ?), (?, ?)", ["a", null, "b", Uint8Array.of(0, 255)])).toEqual({
    rows: [],
    changes: 2,
  });
  expect(execute("update words set word = 'c' where word = 'b' returning word, bytes", [])).toEqual({
    rows: [{ word: "c", bytes: Uint8Array.of(0, 255) }],
  });
});

it("prepares a statement once", () => {
  const database = new DatabaseSync(":memory:");
  const prepare = vi.spyOn(database, "prepare");
  const execute = makeStatements(database);
  for (const value of [1, 2]) expect(execute("select ? as value", [value])).toEqual({ rows: [{ value }] });
  expect(prepare).toHaveBeenCalledOnce();
});
