import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { inThread } from "../testing/in-thread.ts";
import { logAhead } from "./log-ahead.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("logAhead", () => {
  it("turns the log on once nobody stands in its way", async () => {
    const { path, reader, connection } = openTwo("patient.db");
    const done = logAhead(inThread(connection, path));
    expect(journalOf(connection)).toBe("delete");
    reader.exec("commit");
    await done;
    expect(journalOf(connection)).toBe("wal");
    reader.close();
    connection.close();
  });

  it("gives up on who never leaves", async () => {
    const { path, reader, connection } = openTwo("blocked.db");
    await expect(logAhead(inThread(connection, path))).rejects.toMatchObject({ code: "store.unavailable" });
    reader.close();
    connection.close();
  });

  it("refuses what is no database", async () => {
    const path = join(folder, "diary.db");
    writeFileSync(path, "Dear diary,\n".repeat(500));
    const connection = new DatabaseSync(path);
    await expect(logAhead(inThread(connection, path))).rejects.toMatchObject({ code: "store.damaged" });
    connection.close();
  });

  function openTwo(name: string) {
    const path = join(folder, name);
    const reader = new DatabaseSync(path);
    reader.exec("create table words (word text); begin; select * from words");
    return { path, reader, connection: new DatabaseSync(path) };
  }

  function journalOf(connection: DatabaseSync): unknown {
    return connection.prepare("pragma journal_mode").get()?.journal_mode;
  }
});
