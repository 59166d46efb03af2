import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as turn } from "node:timers/promises";
import { LonghaulError } from "@longhaul/conversation";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { DatabaseThread, openConnection, toStoreError } from "./connection.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("openConnection", () => {
  it("runs statements, including bytes, and translates errors", async () => {
    const connection = await open(":memory:");
    expect(await connection.execute("select ? as bytes, ? as text", [Uint8Array.of(0, 255), "a"])).toEqual({
      rows: [{ bytes: Uint8Array.of(0, 255), text: "a" }],
    });
    await expect(connection.execute("select * from absent", [])).rejects.toMatchObject({ code: "store.unavailable" });
    await connection.close();
  });

  it("finishes pending statements before it closes, and rejects later ones", async () => {
    const path = join(folder, "closed.db");
    const connection = await open(path);
    const statements = ["create table words (word)", "insert into words values ('kept')"];
    const writes = statements.map((sql) => connection.execute(sql, []));
    const closing = connection.close();
    await expect(connection.execute("select 1", [])).rejects.toThrow(/closed\.db is closed/);
    await Promise.all([...writes, closing, connection.close()]);
    const database = new DatabaseSync(path);
    expect(database.prepare("select word from words").all()).toEqual([{ word: "kept" }]);
    database.close();
  });

  it("isolates a database from the previous one on its thread", async () => {
    for (let time = 0; time < 4; time++) {
      const connection = await open(":memory:");
      expect(await connection.execute("create table words (word)", [])).toEqual({ rows: [], changes: 0 });
      await connection.close();
    }
  });

  it("does not block this thread while another process holds the database", async () => {
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

  it("reports a file that cannot be opened", async () => {
    await expect(open(join(folder, "absent", "store.db"))).rejects.toMatchObject({
      code: "store.unavailable",
      message: expect.stringMatching(/store\.db is unavailable: unable to open database file/),
    });
  });

  function open(path: string) {
    return openConnection({ path, busyTimeoutMs: 0 });
  }
});

describe("DatabaseThread", () => {
  let thread: DatabaseThread;
  beforeEach(async () => {
    thread = new DatabaseThread();
    await thread.send({ kind: "open", path: ":memory:", busyTimeoutMs: 0 });
  });
  afterEach(() => thread.stop());

  it("runs commands in order", async () => {
    const statements = ["create table words (word)", "insert into words values ('a')", "select word from words"];
    const done = await Promise.all(statements.map((sql) => thread.send({ kind: "execute", sql, parameters: [] })));
    expect(done).toEqual([{ rows: [], changes: 0 }, { rows: [], changes: 1 }, { rows: [{ word: "a" }] }]);
  });

  it("rejects with SQLite's message and codes", async () => {
    const failing = thread.send({ kind: "execute", sql: "select * from absent", parameters: [] });
    await expect(failing).rejects.toMatchObject({
      message: "no such table: absent",
      code: "ERR_SQLITE_ERROR",
      errcode: 1,
    });
  });

  it("rejects pending and later commands when it is stopped", async () => {
    const waiting = thread.send({ kind: "execute", sql: LONG, parameters: [] });
    const stopping = thread.stop();
    await expect(waiting).rejects.toThrow("its thread has stopped");
    await stopping;
    expect(thread.isStopped).toBe(true);
    await expect(thread.send({ kind: "close" })).rejects.toThrow("its thread has stopped");
  });
});

/** Takes a while: a busy thread stops only after its statement. */
const LONG =
  "with recursive numbers(n) as (values(1) union all select n + 1 from numbers where n < 3000000) select sum(n) from numbers";

describe("translated", () => {
  it("reports a closed database as unavailable", () => {
    const database = new DatabaseSync(":memory:");
    database.close();
    expect(codeOf(() => database.exec("select 1"))).toBe("store.unavailable");
  });

  it("reports a broken schema as damage, with advice", () => {
    const database = new DatabaseSync(":memory:", { defensive: false });
    database.exec(
      "create table epochs (scope text); pragma writable_schema = on; update sqlite_schema set rootpage = 99",
    );
    database.exec("pragma writable_schema = reset");
    expect(() => attempt(() => database.exec("select * from epochs"))).toThrow(
      /store\.db cannot be used: .*malformed.* Move it aside together with its -wal and -shm files/,
    );
    expect(codeOf(() => database.exec("select * from epochs"))).toBe("store.damaged");
    database.close();
  });

  it("reports other SQLite errors as unavailable, with the reason", () => {
    const database = new DatabaseSync(":memory:");
    expect(() => attempt(() => database.exec("select * from absent"))).toThrow(
      /store\.db is unavailable: no such table: absent/,
    );
    database.close();
  });

  it.each([[new TypeError("no")], [new LonghaulError("internal.bug", "no")], ["no"]])("passes on %s", (thrown) => {
    const fail = () => {
      throw thrown;
    };
    expect(() => attempt(fail)).toThrow(thrown);
  });

  function codeOf(run: () => unknown): unknown {
    try {
      return attempt(run);
    } catch (error) {
      return error instanceof LonghaulError ? error.code : error;
    }
  }

  function attempt(run: () => unknown): unknown {
    try {
      return run();
    } catch (error) {
      throw toStoreError(error, "store.db");
    }
  }
});
