import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { Kysely, sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import { describeInsertRows } from "../testing/describe-insert-rows.ts";
import { inThread, makeEngine, openDatabase, openEmptyDatabase } from "../testing/open-database.ts";
import { inChunks, isAmong, sqliteDialect } from "./dialect.ts";

interface Words {
  readonly words: { readonly word: string; readonly length: number };
}

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("sqliteDialect", () => {
  it("reads, writes and counts changed rows", async () => {
    const database = await openWords(":memory:");
    const { numInsertedOrUpdatedRows } = await database
      .insertInto("words")
      .values({ word: "long", length: 4 })
      .executeTakeFirstOrThrow();
    expect(Number(numInsertedOrUpdatedRows)).toBe(1);
    const returned = await database.updateTable("words").set({ length: 5 }).returning("length").execute();
    expect(returned.map(({ length }) => length)).toEqual([5]);
    for (let time = 0; time < 3; time++) {
      const rows = await database.selectFrom("words").select("word").where("length", "=", 5).execute();
      expect(rows.map(({ word }) => word)).toEqual(["long"]);
    }
    await database.destroy();
  });

  it("rolls back a failed transaction", async () => {
    const database = await openWords(":memory:");
    const failing = database.transaction().execute(async (transaction) => {
      await transaction.insertInto("words").values({ word: "lost", length: 4 }).execute();
      throw new Error("changed my mind");
    });
    await expect(failing).rejects.toThrow("changed my mind");
    expect(await database.selectFrom("words").selectAll().execute()).toEqual([]);
    await database.destroy();
  });

  it("locks out other writers when a transaction begins", async () => {
    const path = join(folder, "words.db");
    const first = await openWords(path);
    const second = new Kysely<Words>({ dialect: sqliteDialect(inThread(new DatabaseSync(path), path)) });
    await first.transaction().execute(async () => {
      const write = second.insertInto("words").values({ word: "late", length: 4 }).execute();
      await expect(write).rejects.toMatchObject({ code: "store.unavailable" });
    });
    await first.destroy();
    await second.destroy();
  });

  it("calls beforeAcquire between transactions, never within one", async () => {
    const connection = inThread(new DatabaseSync(":memory:"));
    let settled = 0;
    const settle = async () => void settled++;
    const database = new Kysely<Words>({ dialect: sqliteDialect(connection, settle) });
    await sql`select 1`.execute(database);
    await database.transaction().execute(async (transaction) => {
      await sql`select 1`.execute(transaction);
      await sql`select 2`.execute(transaction);
    });
    expect(settled).toBe(2);
    await database.destroy();
  });

  it("accepts texts, numbers, bytes and null, and rejects the rest", async () => {
    const database = await openWords(":memory:");
    const bytes = new Uint8Array([0, 255]);
    const { rows } = await sql`select ${"a"} as a, ${1.5} as b, ${bytes} as c, ${null} as d`.execute(database);
    expect(rows.map((row) => Object.assign({}, row))).toEqual([{ a: "a", b: 1.5, c: bytes, d: null }]);
    await expect(sql`select ${true}`.execute(database)).rejects.toMatchObject({ code: "internal.bug" });
    await database.destroy();
  });

  async function openWords(path: string): Promise<Kysely<Words>> {
    const database = new Kysely<Words>({ dialect: sqliteDialect(inThread(new DatabaseSync(path), path)) });
    await database.schema.createTable("words").addColumn("word", "text").addColumn("length", "integer").execute();
    return database;
  }
});

describe("isAmong", () => {
  it.each([[[]], [["one"]], [["a", 'b"', "c'; --", "[]", "{}", "1", "null", "漢字\n"]]])(
    "is true only for each of %j",
    async (texts) => {
      const database = openEmptyDatabase();
      for (const text of [...texts, "other", "A"]) {
        const { rows } = await sql<{ found: number }>`
          select ${isAmong("value", texts)} as found from (select ${text} as value)`.execute(database);
        expect(rows).toEqual([{ found: texts.includes(text) ? 1 : 0 }]);
      }
      await database.destroy();
    },
  );
});

describeInsertRows("SQLite", async () => makeEngine(await openDatabase()));

describe("inChunks", () => {
  it("keeps all rows in order", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 1_000 }), (rows) => {
        expect(inChunks(rows).flat()).toEqual(rows);
      }),
    );
  });

  it("uses seven sizes, largest first", () => {
    expect(inChunks(Array.from({ length: 64 + 127 })).map((chunk) => chunk.length)).toEqual([
      64, 64, 32, 16, 8, 4, 2, 1,
    ]);
  });

  it("returns no chunks for an empty list", () => {
    expect(inChunks([])).toEqual([]);
  });
});
