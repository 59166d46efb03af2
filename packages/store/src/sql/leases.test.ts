import { expect, it } from "vitest";
import { makeLease } from "../testing/make.ts";
import { openDatabase } from "../testing/open-database.ts";
import { makeLeases } from "./leases.ts";

// What every store of leases does is in testing/describe-leases.ts.
it("keeps no row of what was released", async () => {
  const database = await openDatabase();
  const leases = makeLeases(database);
  await leases.take(makeLease());
  expect(await database.selectFrom("leases").selectAll().execute()).toHaveLength(1);
  await leases.release("summary", "holder");
  expect(await database.selectFrom("leases").selectAll().execute()).toEqual([]);
  await database.destroy();
});
