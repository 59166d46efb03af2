import { expect, it } from "vitest";
import { makeCalibration } from "../testing/make.ts";
import { openDatabase } from "../testing/open-database.ts";
import { makeCalibrations } from "./calibrations.ts";

// What every store of calibrations does is in testing/describe-calibrations.ts.
it("counts a row that cannot be read as absent, and keeps the others", async () => {
  const database = await openDatabase();
  const calibrations = makeCalibrations(database);
  await calibrations.save(makeCalibration());
  await database.insertInto("calibrations").values({ upstream: "broken", model: "broken", state: "{" }).execute();
  expect(await calibrations.load()).toStrictEqual([makeCalibration()]);
  await database.destroy();
});
