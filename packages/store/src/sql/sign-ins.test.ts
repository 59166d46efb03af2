import { expect, it } from "vitest";
import { openDatabase } from "../testing/open-database.ts";
import { makeSignIns } from "./sign-ins.ts";

// What every store of sign-ins does is in testing/describe-sign-ins.ts.
it("keeps no row of what was taken or is over", async () => {
  const database = await openDatabase();
  const signIns = makeSignIns(database);
  for (const hash of ["taken", "over", "held"]) await signIns.add(hash, hash === "held" ? 9 : 5);
  await signIns.take("taken", 0);
  await signIns.prune(5);
  const rows = await database.selectFrom("signIns").select("hash").execute();
  expect(rows.map(({ hash }) => hash)).toEqual(["held"]);
  await database.destroy();
});
