import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SqliteConnection } from "./connection.ts";
import { type LastingConnection, openLastingConnection, type Replaced } from "./lasting-connection.ts";

let folder = "";
let path = "";
let open: LastingConnection;
let told: Replaced[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "longhaul-"));
  path = join(folder, "store.db");
  told = [];
  open = await openAt(path, 0);
});
afterEach(async () => {
  await open.close();
  rmSync(folder, { recursive: true, force: true });
});

const openAt = (at: string, lookEveryMs: number) =>
  openLastingConnection({ path: at, busyTimeoutMs: 1, lookEveryMs, prepare, onReplaced: (how) => void told.push(how) });

async function prepare(connection: SqliteConnection): Promise<void> {
  await connection.execute("create table if not exists words (word)", []);
  await connection.execute("pragma journal_mode = wal", []);
}

const write = (word: string) => open.execute("insert into words values (?)", [word]);

async function words(): Promise<unknown[]> {
  const { rows }: { rows: object[] } = await open.execute("select word from words order by rowid", []);
  return rows.map((row) => Object.values(row)[0]);
}

describe("a lasting connection", () => {
  it("stays where it is while its file is there", async () => {
    await write("kept");
    await open.settle();
    expect([await words(), told]).toEqual([["kept"], []]);
  });

  it.each([[["store.db"]], [["store.db", "store.db-wal", "store.db-shm"]]])(
    "goes on with a new file where %j were removed",
    async (names) => {
      await write("lost");
      for (const name of names) rmSync(join(folder, name));
      await open.settle();
      expect([await words(), told]).toEqual([[], ["removed"]]);
      await write("new");
      await open.settle();
      await open.close();
      expect(read(path)).toEqual(["new"]);
      expect(told).toEqual(["removed"]);
    },
  );

  it("makes the folder anew, too", async () => {
    rmSync(folder, { recursive: true });
    await open.settle();
    await write("new");
    expect(await words()).toEqual(["new"]);
  });

  it("goes on with the file that takes the place of the first, untouched by what the first had in its log", async () => {
    const copy = join(folder, "copy.db");
    make(copy, "restored");
    await write("of before");
    renameSync(copy, path);
    await open.settle();
    expect([await words(), told]).toEqual([["restored"], ["replaced"]]);
    await write("new");
    await open.close();
    expect(read(path)).toEqual(["restored", "new"]);
  });

  it("leaves everything in a file that was moved away", async () => {
    await write("kept");
    const moved = join(folder, "moved.db");
    renameSync(path, moved);
    await open.settle();
    expect(read(moved)).toEqual(["kept"]);
    expect(await words()).toEqual([]);
  });

  it("takes nothing from another process that has made the new file already", async () => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    const other = new DatabaseSync(path);
    other.exec("pragma journal_mode = wal; create table words (word); insert into words values ('theirs')");
    await open.settle();
    expect(existsSync(`${path}-wal`)).toBe(true);
    await write("ours");
    expect(other.prepare("select word from words").all()).toEqual([{ word: "theirs" }, { word: "ours" }]);
    other.close();
  });

  it("fails while what stands there cannot be used, and goes on once it can", async () => {
    for (const ending of ["", "-wal", "-shm"]) rmSync(path + ending);
    writeFileSync(path, "Dear diary,\n".repeat(500));
    await open.settle();
    await expect(write("lost")).rejects.toMatchObject({ code: "store.damaged" });
    expect(told).toEqual([]);
    rmSync(path);
    await open.settle();
    await write("new");
    expect([await words(), told]).toEqual([["new"], ["removed"]]);
  });

  it("looks no more often than it is told to, and not at all once it is closed", async () => {
    const rare = await openAt(join(folder, "rare.db"), 60_000);
    rmSync(join(folder, "rare.db"));
    await rare.settle();
    expect(told).toEqual([]);
    await rare.close();
    rmSync(path);
    await open.close();
    await open.settle();
    expect(told).toEqual([]);
    await expect(write("late")).rejects.toThrow(/is closed/);
  });

  it("has nothing to look for in memory", async () => {
    const memory = await openAt(":memory:", 0);
    await memory.settle();
    await memory.execute("insert into words values ('kept')", []);
    await memory.settle();
    expect(await memory.execute("select word from words", [])).toEqual({ rows: [{ word: "kept" }] });
    expect([told, existsSync(":memory:")]).toEqual([[], false]);
    await memory.close();
  });
});

function make(at: string, word: string): void {
  const database = new DatabaseSync(at);
  database.exec("create table words (word)");
  database.prepare("insert into words values (?)").run(word);
  database.close();
}

function read(at: string): unknown[] {
  const database = new DatabaseSync(at);
  const rows = database.prepare("select word from words order by rowid").all();
  database.close();
  return rows.map(({ word }) => word);
}
