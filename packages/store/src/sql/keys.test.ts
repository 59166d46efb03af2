import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Keys } from "../contract/keys.ts";
import { makeKey } from "../testing/make.ts";
import { explainQueries, makeEngine, openDatabase } from "../testing/open-database.ts";
import { makeKeys, makeSignIns } from "./keys.ts";
import type { Database } from "./tables.ts";

describe("makeKeys", () => {
  let connection: DatabaseSync;
  let database: Database;
  let keys: Keys;
  beforeEach(async () => {
    connection = new DatabaseSync(":memory:");
    database = await openDatabase(connection);
    keys = makeKeys(makeEngine(database));
    await keys.create(makeKey());
  });
  afterEach(() => database.destroy());

  it("reads unparsable context settings as empty", async () => {
    await database.updateTable("keys").set({ context: "{" }).execute();
    expect(await keys.find("hash")).toStrictEqual(makeKey());
  });

  it("looks up a hash in the index", async () => {
    expect(await explainQueries(connection, () => keys.find("hash"))).toEqual([
      "SEARCH keys USING INDEX keys_by_hash (hash=?)",
    ]);
  });
});

describe("makeSignIns", () => {
  it("deletes the rows of used and expired sign-ins", async () => {
    const database = await openDatabase();
    const signIns = makeSignIns(database);
    for (const hash of ["taken", "over", "held"]) await signIns.add(hash, hash === "held" ? 9 : 5);
    await signIns.take("taken", 0);
    await signIns.prune(5);
    const rows = await database.selectFrom("signIns").select("hash").execute();
    expect(rows.map(({ hash }) => hash)).toEqual(["held"]);
    await database.destroy();
  });
});
