import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { inThread } from "../testing/in-thread.ts";
import { checkContent } from "./check-content.ts";

describe("checkContent", () => {
  it.each([
    ["an empty database", ""],
    ["one of ours", "create table longhaul_migrations (number); create table epochs (scope)"],
  ])("accepts %s", async (_, sql) => {
    await expect(check(sql)).resolves.toBeUndefined();
  });

  it("refuses one with tables of others alone", async () => {
    await expect(check("create table users (name)")).rejects.toThrow(/store\.db has tables of another program/);
  });

  it("refuses one whose check fails, and says what it found", async () => {
    const sql = `create table longhaul_migrations (number not null);
      insert into longhaul_migrations values (1);
      pragma writable_schema = on;
      update sqlite_schema set sql = 'create table longhaul_migrations (number check (number > 1))';
      pragma writable_schema = reset;`;
    await expect(check(sql)).rejects.toThrow(/store\.db cannot be used: its check says "CHECK constraint failed/);
  });

  async function check(sql: string): Promise<void> {
    const database = new DatabaseSync(":memory:", { defensive: false });
    database.exec(sql);
    await checkContent(inThread(database), "store.db");
  }
});
