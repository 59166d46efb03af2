import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { checkContent } from "./check-content.ts";

describe("checkContent", () => {
  it.each([
    ["an empty database", ""],
    ["one of ours", "create table longhaul_migrations (number); create table epochs (scope)"],
  ])("accepts %s", (_, sql) => {
    expect(() => check(sql)).not.toThrow();
  });

  it("refuses one with tables of others alone", () => {
    expect(() => check("create table users (name)")).toThrow(/store\.db has tables of another program/);
  });

  it("refuses one whose check fails, and says what it found", () => {
    const sql = `create table longhaul_migrations (number not null);
      insert into longhaul_migrations values (1);
      pragma writable_schema = on;
      update sqlite_schema set sql = 'create table longhaul_migrations (number check (number > 1))';
      pragma writable_schema = reset;`;
    expect(() => check(sql)).toThrow(/store\.db cannot be used: its check says "CHECK constraint failed/);
  });

  function check(sql: string): void {
    const database = new DatabaseSync(":memory:", { defensive: false });
    database.exec(sql);
    checkContent(database, "store.db");
  }
});
