import { expect, it } from "vitest";
import { isAmong } from "../sqlite/is-among.ts";
import { makeEpoch } from "../testing/make.ts";
import { openDatabase } from "../testing/open-database.ts";
import { makeStore } from "./make-store.ts";

// What each of its parts does is in testing/describe-store.ts.
it("makes all parts on one database and one clock", async () => {
  const database = await openDatabase();
  const store = makeStore({ database, nowMs: () => 7, isAmong });
  await store.epochs.put(makeEpoch());
  const rows = await database.selectFrom("epochs").select("usedAtMs").execute();
  expect(rows.map(({ usedAtMs }) => usedAtMs)).toEqual([7]);
  await database.destroy();
});
