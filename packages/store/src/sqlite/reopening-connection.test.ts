import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SqliteConnection } from "./connection.ts";
import {
  createDatabaseFile,
  type FileChange,
  fileIdentity,
  openReopeningConnection,
  type ReopeningConnection,
} from "./reopening-connection.ts";

let folder = "";
let path = "";
let open: ReopeningConnection;
let reported: FileChange[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "longhaul-"));
  path = join(folder, "store.db");
  reported = [];
  open = await openAt(path, 0);
});
afterEach(async () => {
  await open.close();
  rmSync(folder, { recursive: true, force: true });
});

const openAt = (at: string, checkIntervalMs: number) =>
  openReopeningConnection({
    path: at,
    busyTimeoutMs: 1,
    checkIntervalMs,
    prepare,
    onReplaced: (change) => void reported.push(change),
  });

async function prepare(connection: SqliteConnection): Promise<void> {
  await connection.execute("create table if not exists words (word)", []);
  await connection.execute("pragma journal_mode = wal", []);
}

const write = (word: string) => open.execute("insert into words values (?)", [word]);

async function words(): Promise<unknown[]> {
  const { rows }: { rows: object[] } = await open.execute("select word from words order by rowid", []);
  return rows.map((row) => Object.values(row)[0]);
}

describe("a reopening connection", () => {
  it("stays open while its file is unchanged", async () => {
    await write("kept");
    await open.reopenIfReplaced();
    expect([await words(), reported]).toEqual([["kept"], []]);
  });

  it.each([[["store.db"]], [["store.db", "store.db-wal", "store.db-shm"]]])(
    "switches to a new file if %j are removed",
    async (names) => {
      await write("lost");
      for (const name of names) rmSync(join(folder, name));
      await open.reopenIfReplaced();
      expect([await words(), reported]).toEqual([[], ["removed"]]);
      await write("new");
      await open.reopenIfReplaced();
      await open.close();
      expect(read(path)).toEqual(["new"]);
      expect(reported).toEqual(["removed"]);
    },
  );

  it("creates the folder again", async () => {
    rmSync(folder, { recursive: true });
    await open.reopenIfReplaced();
    await write("new");
    expect(await words()).toEqual(["new"]);
  });

  it("switches to a replacement file without applying the old log", async () => {
    const copy = join(folder, "copy.db");
    make(copy, "restored");
    await write("of before");
    renameSync(copy, path);
    await open.reopenIfReplaced();
    expect([await words(), reported]).toEqual([["restored"], ["replaced"]]);
    await write("new");
    await open.close();
    expect(read(path)).toEqual(["restored", "new"]);
  });

  it("keeps everything in a file that was moved", async () => {
    await write("kept");
    const moved = join(folder, "moved.db");
    renameSync(path, moved);
    await open.reopenIfReplaced();
    expect(read(moved)).toEqual(["kept"]);
    expect(await words()).toEqual([]);
  });

  it("does not disturb another process that already made the new file", async () => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    const other = new DatabaseSync(path);
    other.exec("pragma journal_mode = wal; create table words (word); insert into words values ('theirs')");
    await open.reopenIfReplaced();
    expect(existsSync(`${path}-wal`)).toBe(true);
    await write("ours");
    expect(other.prepare("select word from words").all()).toEqual([{ word: "theirs" }, { word: "ours" }]);
    other.close();
  });

  it("fails while the file at the path is unusable, and recovers afterwards", async () => {
    for (const ending of ["", "-wal", "-shm"]) rmSync(path + ending);
    writeFileSync(path, "Lorem ipsum,\n".repeat(500));
    await open.reopenIfReplaced();
    await expect(write("lost")).rejects.toMatchObject({ code: "store.damaged" });
    expect(reported).toEqual([]);
    rmSync(path);
    await open.reopenIfReplaced();
    await write("new");
    expect([await words(), reported]).toEqual([["new"], ["removed"]]);
  });

  it("checks once per interval, and never after it is closed", async () => {
    const rare = await openAt(join(folder, "rare.db"), 60_000);
    rmSync(join(folder, "rare.db"));
    await rare.reopenIfReplaced();
    expect(reported).toEqual([]);
    await rare.close();
    rmSync(path);
    await open.close();
    await open.reopenIfReplaced();
    expect(reported).toEqual([]);
    await expect(write("late")).rejects.toThrow(/is closed/);
  });

  it("does not check a database in memory", async () => {
    const memory = await openAt(":memory:", 0);
    await memory.reopenIfReplaced();
    await memory.execute("insert into words values ('kept')", []);
    await memory.reopenIfReplaced();
    expect(await memory.execute("select word from words", [])).toEqual({ rows: [{ word: "kept" }] });
    expect([reported, existsSync(":memory:")]).toEqual([[], false]);
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

describe("makeDatabaseFile", () => {
  it("creates an empty file that only its owner can read", () => {
    const path = join(folder, "made", "store.db");
    createDatabaseFile(path);
    expect(readFileSync(path, "utf8")).toBe("");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "made")).mode & 0o777).toBe(0o700);
  });

  it("leaves an existing file unchanged", () => {
    const path = join(folder, "there.db");
    writeFileSync(path, "content", { mode: 0o640 });
    createDatabaseFile(path);
    expect(readFileSync(path, "utf8")).toBe("content");
    expect(statSync(path).mode & 0o777).toBe(0o640);
  });

  it("reports which file could not be created, and why", () => {
    writeFileSync(join(folder, "file"), "");
    const path = join(folder, "file", "inside", "store.db");
    expect(() => createDatabaseFile(path)).toThrow(/file.inside.store\.db cannot be created: .*file is not a folder;/);
    expect(() => createDatabaseFile(folder)).toThrow(/cannot be created: it is not a file;/);
  });

  it.runIf(process.platform === "linux")("fails at once in a folder that accepts no subfolders", () => {
    expect(() => createDatabaseFile("/proc/none/inside/store.db")).toThrow(/cannot be created: E(?:NOENT|ACCES)/);
  });
});

describe("fileIdentity", () => {
  it("stays the same when a file is written or moved", async () => {
    const [path, moved] = [join(folder, "a"), join(folder, "b")];
    writeFileSync(path, "");
    const before = await fileIdentity(path);
    writeFileSync(path, "more");
    expect(await fileIdentity(path)).toBe(before);
    renameSync(path, moved);
    expect([await fileIdentity(path), await fileIdentity(moved)]).toEqual([undefined, before]);
  });

  it("differs for a file that replaces an open one", async () => {
    const path = join(folder, "c");
    writeFileSync(path, "");
    const open = openSync(path, "r");
    const before = await fileIdentity(path);
    rmSync(path);
    writeFileSync(path, "");
    expect(await fileIdentity(path)).not.toBe(before);
    closeSync(open);
  });

  it("is undefined if a part of the path is not a folder, and throws other errors", async () => {
    writeFileSync(join(folder, "file"), "");
    expect(await fileIdentity(join(folder, "file", "inside"))).toBeUndefined();
    await expect(fileIdentity(join(folder, "x".repeat(5_000)))).rejects.toThrow("ENAMETOOLONG");
  });
});
