import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { openConnection } from "./connection.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("openConnection", () => {
  it("carries statements out, bytes included, and says refusals in our words", async () => {
    const connection = await open(":memory:");
    expect(await connection.execute("select ? as bytes, ? as text", [Uint8Array.of(0, 255), "a"])).toEqual({
      rows: [{ bytes: Uint8Array.of(0, 255), text: "a" }],
    });
    await expect(connection.execute("select * from absent", [])).rejects.toMatchObject({ code: "store.unavailable" });
    await connection.close();
  });

  it("does what was asked before it is closed, and refuses what is asked after", async () => {
    const path = join(folder, "closed.db");
    const connection = await open(path);
    const asked = ["create table words (word)", "insert into words values ('kept')"];
    const writes = asked.map((sql) => connection.execute(sql, []));
    const closing = connection.close();
    await expect(connection.execute("select 1", [])).rejects.toThrow(/closed\.db is closed/);
    await Promise.all([...writes, closing, connection.close()]);
    const database = new DatabaseSync(path);
    expect(database.prepare("select word from words").all()).toEqual([{ word: "kept" }]);
    database.close();
  });

  it("shows a database nothing of the one that its thread had before", async () => {
    for (let time = 0; time < 4; time++) {
      const connection = await open(":memory:");
      expect(await connection.execute("create table words (word)", [])).toEqual({ rows: [], changes: 0 });
      await connection.close();
    }
  });

  it("lets this thread go on while another process holds the database", async () => {
    const path = join(folder, "held.db");
    const connection = await openConnection({ path, busyTimeoutMs: 60_000 });
    await connection.execute("create table words (word)", []);
    const other = new DatabaseSync(path);
    other.exec("begin immediate");
    let isWritten = false;
    const write = connection.execute("insert into words values ('late')", []).then(() => {
      isWritten = true;
    });
    for (let turns = 0; turns < 100; turns++) await turn();
    expect(isWritten).toBe(false);
    other.exec("commit");
    await write;
    other.close();
    await connection.close();
  });

  it("tells who cannot open a file", async () => {
    await expect(open(join(folder, "absent", "store.db"))).rejects.toMatchObject({
      code: "store.unavailable",
      message: expect.stringMatching(/store\.db cannot be used right now: unable to open database file/),
    });
  });

  function open(path: string) {
    return openConnection({ path, busyTimeoutMs: 0 });
  }
});
