import { DatabaseSync } from "node:sqlite";
import { type SqlBool, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Epochs } from "../contract/store.ts";
import { isAmong } from "../sqlite/dialect.ts";
import { makeEpoch, makeOldProjection, makeProjection } from "../testing/make.ts";
import { makeEngine, openDatabase } from "../testing/open-database.ts";
import { makeEpochs, readProjection } from "./epochs.ts";
import type { Database } from "./tables.ts";

const MINUTE_MS = 60_000;
const MANY_BYTES = 1e9;

describe("makeEpochs", () => {
  let connection: DatabaseSync;
  let database: Database;
  let epochs: Epochs;
  let nowMs: number;
  beforeEach(async () => {
    connection = new DatabaseSync(":memory:");
    database = await openDatabase(connection);
    nowMs = 0;
    epochs = makeEpochs(makeEngine(database, { nowMs: () => nowMs }));
    await epochs.put(makeEpoch());
  });
  afterEach(() => database.destroy());

  it("records a use once a minute", async () => {
    expect(await writesOfFind(MINUTE_MS - 1)).toBe(0);
    expect(await writesOfFind(MINUTE_MS)).toBe(1);
    expect(await writesOfFind(MINUTE_MS + 1)).toBe(0);
    expect(await writesOfFind(2 * MINUTE_MS)).toBe(1);
  });

  it("finds an epoch that it cannot mark as used", async () => {
    nowMs = MINUTE_MS;
    connection.exec("pragma query_only = on");
    expect(await epochs.find("scope", ["prefix"])).toEqual([makeEpoch()]);
    await expect(epochs.put(makeEpoch())).rejects.toMatchObject({ code: "store.unavailable" });
  });

  it("throws other errors of a mark at the next prune, once", async () => {
    nowMs = MINUTE_MS;
    const isAmongOnce = (column: string, texts: readonly string[]) =>
      texts.length > 1 ? isAmong(column, texts) : sql<SqlBool>`${true}`;
    const broken = makeEpochs(makeEngine(database, { nowMs: () => nowMs, isAmong: isAmongOnce }));
    expect(await broken.find("scope", ["prefix", "other"])).toEqual([makeEpoch()]);
    await expect(broken.prune(0, MANY_BYTES)).rejects.toMatchObject({ code: "internal.bug" });
    expect(await broken.prune(0, MANY_BYTES)).toBe(0);
  });

  it("counts a row with an unreadable projection as absent, and replaces it", async () => {
    await database.updateTable("epochs").set({ projection: '{"version": 1' }).execute();
    expect(await epochs.find("scope", ["prefix"])).toEqual([]);
    await epochs.put(makeEpoch());
    expect(await epochs.find("scope", ["prefix"])).toEqual([makeEpoch()]);
  });

  it("looks up prefixes in the index", async () => {
    const prepare = vi.spyOn(connection, "prepare");
    await epochs.find("scope", ["prefix"]);
    const [select = ""] = prepare.mock.calls[0] ?? [];
    const plan = connection.prepare(`explain query plan ${select}`).all();
    expect(plan.map(({ detail }) => detail)).toContainEqual(
      expect.stringMatching(/^SEARCH epochs USING INDEX \w+ \(scope=\? AND prefix=\?\)$/),
    );
  });

  async function writesOfFind(atMs: number): Promise<unknown> {
    nowMs = atMs;
    const before = connection.prepare("select total_changes() as changes").get()?.changes;
    await epochs.find("scope", ["prefix"]);
    // Waits for the mark and deletes nothing.
    await epochs.prune(0, MANY_BYTES);
    const after = connection.prepare("select total_changes() as changes").get()?.changes;
    return Number(after) - Number(before);
  }
});

describe("readProjection", () => {
  it("reads a stored projection", () => {
    expect(readProjection(JSON.stringify(makeProjection()))).toEqual(makeProjection());
  });

  it.each([
    ["another version", JSON.stringify(makeOldProjection())],
    ["no messages", JSON.stringify({ ...makeProjection(), messages: undefined })],
    ["with half a message", JSON.stringify({ ...makeProjection(), messages: 1.5 })],
    ["no entries", JSON.stringify({ ...makeProjection(), entries: {} })],
    ["the value null", "null"],
    ["cut-off JSON", '{"version": 1, "mess'],
  ])("returns undefined for %s", (_, json) => {
    expect(readProjection(json)).toBeUndefined();
  });
});
