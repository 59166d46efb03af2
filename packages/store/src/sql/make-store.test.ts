import { expect, it } from "vitest";
import { makeEpoch } from "../testing/make.ts";
import { makeEngine, openDatabase } from "../testing/open-database.ts";
import { makeStore } from "./make-store.ts";

it("makes all parts with the same database and clock", async () => {
  const database = await openDatabase();
  const store = makeStore(makeEngine(database, { nowMs: () => 7 }));
  await store.epochs.put(makeEpoch());
  const rows = await database.selectFrom("epochs").select("usedAtMs").execute();
  expect(rows.map(({ usedAtMs }) => usedAtMs)).toEqual([7]);
  await database.destroy();
});
