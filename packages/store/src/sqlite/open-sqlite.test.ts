import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { describeStore } from "../testing/describe-store.ts";
import { makeContent, makeEpoch, makeFront, makePreset, makeProjection } from "../testing/make.ts";
import { inThread } from "../testing/open-database.ts";
import { runWriter } from "../testing/run-writer.ts";
import { checkContent, enableWal, openSqlite } from "./open-sqlite.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));
const nowMs = () => 0;

describeStore("SQLite in a file", (name, clock) => openSqlite({ path: join(folder, `${name}.db`), nowMs: clock }));

describeStore("SQLite in memory", (_, clock) => openSqlite({ path: ":memory:", nowMs: clock }), {
  reopening: "a database in memory ends with its handle",
});

// All statements share one thread and take turns there. PostgreSQL runs them side by side.
it.each(["fronts", "epochs", "contents"] as const)("prunes %s between the statements of others", async (part) => {
  const store = await openSqlite({ path: ":memory:", nowMs });
  const put = {
    fronts: (key: string) => store.fronts.put(makeFront({ key }), new Uint8Array(1)),
    epochs: (prefix: string) => store.epochs.put(makeEpoch({ prefix })),
    contents: (requestId: string) => store.contents.put(makeContent({ requestId })),
  };
  for (let index = 0; index < 30; index++) await put[part](`${index}`);
  let isPruned = false;
  const pruning = store[part].prune(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER).finally(() => {
    isPruned = true;
  });
  let others = 0;
  for (; !isPruned; others++) await store.epochs.find("scope", ["prefix"]);
  expect(await pruning).toBe(30);
  expect(others).toBeGreaterThan(10);
  await store.close();
});

describe("a file", () => {
  it("is created with its folders, readable only by its owner", async () => {
    const path = join(folder, "new", "deep", "store.db");
    const store = await openSqlite({ path, nowMs });
    await store.epochs.put(makeEpoch());
    const modes = ["", "-wal", "-shm"].map((ending) => statSync(path + ending).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600, 0o600]);
    expect([join(folder, "new"), join(folder, "new", "deep")].map((each) => statSync(each).mode & 0o777)).toEqual([
      0o700, 0o700,
    ]);
    await store.close();
  });

  it("contains no deleted data", async () => {
    const path = join(folder, "forgetful.db");
    const store = await openSqlite({ path, nowMs });
    const content = Buffer.from("secret content ".repeat(2_000));
    await store.contents.put(makeContent({ before: content }));
    await store.presets.put(makePreset({ name: "p", description: "secret description" }));
    await store.contents.clear("tenant", "session");
    await store.presets.remove("p");
    await store.close();
    expect(readFileSync(path, "latin1")).not.toMatch(/secret (?:content|description)/);
  });

  it("can be read while another connection writes, but is unavailable to a second writer", async () => {
    const path = join(folder, "busy.db");
    let now = 0;
    const store = await openSqlite({ path, nowMs: () => now, busyTimeoutMs: 1 });
    await store.epochs.put(makeEpoch());
    const other = new DatabaseSync(path);
    other.exec("begin immediate");
    now = 3_600_000;
    expect(await store.epochs.find("scope", ["prefix"])).toEqual([makeEpoch()]);
    await expect(store.epochs.put(makeEpoch())).rejects.toMatchObject({
      code: "store.unavailable",
      retryable: true,
      message: expect.stringMatching(/busy\.db is unavailable: database is locked; check/),
    });
    other.exec("rollback");
    other.close();
    await store.epochs.put(makeEpoch());
    await store.close();
  });

  it("returns an epoch without waiting for the lock that marks its use", async () => {
    const path = join(folder, "marked.db");
    let now = 0;
    const store = await openSqlite({ path, nowMs: () => now, busyTimeoutMs: 5_000 });
    await store.epochs.put(makeEpoch());
    const other = new DatabaseSync(path);
    other.exec("begin immediate");
    now = 3_600_000;
    expect(await store.epochs.find("scope", ["prefix"])).toEqual([makeEpoch()]);
    other.exec("rollback");
    other.close();
    expect(await store.epochs.prune(now, 1e9)).toBe(0);
    await store.close();
  });

  it("can be created and written by several processes at once", async () => {
    const path = join(folder, "together.db");
    const names = ["one", "two", "three"];
    const runs = await Promise.all(names.map((name) => runWriter({ stores: [{ path }], name, count: 50 })));
    expect(runs.map(({ failure }) => failure)).toEqual(["", "", ""]);
    const prefixes = runs.flatMap(({ written }) => written.map(({ name }) => name));
    const store = await openSqlite({ path, nowMs });
    expect(await store.epochs.find("scope", prefixes)).toHaveLength(150);
    await store.close();
  });

  it("is unavailable if it cannot be created, and the message says which and why", async () => {
    const blocked = join(folder, "blocked");
    writeFileSync(blocked, "");
    const path = join(blocked, "store.db");
    for (const named of [path, relative(process.cwd(), path)]) {
      await expect(openSqlite({ path: named, nowMs })).rejects.toMatchObject({
        code: "store.unavailable",
        message: expect.stringContaining(`the database ${path} cannot be created: ${blocked} is not a folder`),
      });
    }
  });

  it("is unavailable if it is a folder", async () => {
    const path = join(folder, "folder");
    mkdirSync(path);
    await expect(openSqlite({ path, nowMs })).rejects.toMatchObject({ code: "store.unavailable" });
  });
});

describe("a file that is removed while in use", () => {
  it("is created again with all tables, once, and the operator is notified", async () => {
    const path = join(folder, "removed.db");
    const reported: string[] = [];
    const kinds: string[] = [];
    const onReplaced = (notice: string) => void reported.push(notice);
    const store = await openSqlite({ path, nowMs, checkIntervalMs: 0, onReplaced });
    await store.epochs.put(makeEpoch());
    store.changes.listen((kind) => kinds.push(kind));
    for (const ending of ["", "-wal", "-shm"]) rmSync(path + ending);
    expect(await store.epochs.find("scope", ["prefix"])).toEqual([]);
    await store.epochs.put(makeEpoch());
    expect(await store.epochs.find("scope", ["prefix"])).toEqual([makeEpoch()]);
    expect(reported).toEqual([
      expect.stringMatching(/removed\.db was removed .* a new one was created since 1970-01-01T00/),
    ]);
    expect(store.notices()).toEqual(reported);
    expect(new Set(kinds)).toEqual(new Set(["settings", "keys", "presets"]));
    await store.close();
    const again = await openSqlite({ path, nowMs });
    expect(await again.epochs.find("scope", ["prefix"])).toEqual([makeEpoch()]);
    expect(again.notices()).toEqual([]);
    await again.close();
  });

  it("interrupts no transaction, and reports changes in the new file", async () => {
    const [path, copy] = [join(folder, "replaced.db"), join(folder, "copy.db")];
    const other = await openSqlite({ path: copy, nowMs });
    await other.presets.put(makePreset({ name: "theirs" }));
    await other.close();
    const store = await openSqlite({ path, nowMs, checkIntervalMs: 0 });
    for (let time = 0; time < 5; time++) await store.presets.put(makePreset({ name: "ours" }));
    renameSync(copy, path);
    await Promise.all(["a", "b", "c"].map((name) => store.presets.put(makePreset({ name }))));
    const names = (await store.presets.list()).map(({ name }) => name);
    expect(names.toSorted()).toEqual(["a", "b", "c", "theirs"]);
    expect(store.notices()).toEqual([expect.stringContaining("was replaced while in use")]);
    await store.close();
  });
});

describe("a file that must not be written", () => {
  it.each<[string, string, (sound: Buffer) => Buffer, RegExp]>([
    ["not a database", "store.damaged", () => Buffer.from("Lorem ipsum,\n".repeat(500)), /file is not a database/],
    ["cut off", "store.damaged", (sound) => sound.subarray(0, sound.length / 2), /malformed|check reports/],
    ["overwritten in the middle", "store.damaged", overwriteMiddle, /malformed|check reports/],
  ])("is rejected if it is %s, and stays unchanged", async (state, code, damage, reason) => {
    const path = join(folder, `${state}.db`);
    await makeFull(path);
    writeFileSync(path, damage(readFileSync(path)));
    await expectRefusal(path, code, reason);
  });

  it("is rejected if another program made it", async () => {
    const path = join(folder, "another-program.db");
    const other = new DatabaseSync(path);
    other.exec("create table migrations (number integer); create table epochs (name text)");
    other.close();
    await expectRefusal(path, "store.damaged", /has another program.s tables; nothing was written/);
  });

  it("is rejected if a newer Longhaul wrote it", async () => {
    const path = join(folder, "newer.db");
    await makeFull(path);
    const newer = new DatabaseSync(path);
    newer.exec("insert into longhaul_migrations values (99, 'things to come', 0)");
    newer.close();
    await expectRefusal(
      path,
      "store.newer",
      /newer\.db was written by a newer version of Longhaul \(migration 99, "things to come"; this version knows \d+\)/,
    );
  });

  it("is rejected if a migration fails", async () => {
    const path = join(folder, "half-way.db");
    const other = new DatabaseSync(path);
    other.exec(
      "create table longhaul_migrations (number integer, name text, ran_at_ms real); create table windows (name)",
    );
    other.close();
    await expectRefusal(path, "store.unavailable", /half-way\.db .* table "windows" already exists/);
  });

  async function makeFull(path: string): Promise<void> {
    const store = await openSqlite({ path, nowMs });
    for (let index = 1; index <= 200; index++) {
      await store.epochs.put(makeEpoch({ prefix: `prefix-${index}`, projection: makeProjection(index) }));
    }
    await store.close();
  }

  function overwriteMiddle(sound: Buffer): Buffer {
    const third = Math.floor(sound.length / 3);
    return Buffer.from(sound).fill(0xff, third, 2 * third);
  }

  async function expectRefusal(path: string, code: string, reason: RegExp): Promise<void> {
    const before = readFileSync(path);
    await expect(openSqlite({ path, nowMs })).rejects.toMatchObject({ code, message: expect.stringMatching(reason) });
    expect(readFileSync(path).equals(before)).toBe(true);
  }
});

describe("checkContent", () => {
  it.each([
    ["an empty database", ""],
    ["a Longhaul database", "create table longhaul_migrations (number); create table epochs (scope)"],
  ])("accepts %s", async (_, sql) => {
    await expect(check(sql)).resolves.toBeUndefined();
  });

  it("rejects a database with only another program's tables", async () => {
    await expect(check("create table users (name)")).rejects.toThrow(/store\.db has another program.s tables/);
  });

  it("rejects a database whose integrity check fails, with the result", async () => {
    const sql = `create table longhaul_migrations (number not null);
      insert into longhaul_migrations values (1);
      pragma writable_schema = on;
      update sqlite_schema set sql = 'create table longhaul_migrations (number check (number > 1))';
      pragma writable_schema = reset;`;
    await expect(check(sql)).rejects.toThrow(
      /store\.db cannot be used: its integrity check reports "CHECK constraint failed/,
    );
  });

  async function check(sql: string): Promise<void> {
    const database = new DatabaseSync(":memory:", { defensive: false });
    database.exec(sql);
    await checkContent(inThread(database), "store.db");
  }
});

describe("logAhead", () => {
  it("turns on the log once other connections are done", async () => {
    const { path, reader, connection } = openTwo("patient.db");
    const done = enableWal(inThread(connection, path));
    expect(journalOf(connection)).toBe("delete");
    reader.exec("commit");
    await done;
    expect(journalOf(connection)).toBe("wal");
    reader.close();
    connection.close();
  });

  it("gives up if another connection never finishes", async () => {
    const { path, reader, connection } = openTwo("blocked.db");
    await expect(enableWal(inThread(connection, path))).rejects.toMatchObject({ code: "store.unavailable" });
    reader.close();
    connection.close();
  });

  it("rejects a file that is not a database", async () => {
    const path = join(folder, "diary.db");
    writeFileSync(path, "Lorem ipsum,\n".repeat(500));
    const connection = new DatabaseSync(path);
    await expect(enableWal(inThread(connection, path))).rejects.toMatchObject({ code: "store.damaged" });
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
