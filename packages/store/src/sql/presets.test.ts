import { expect, it } from "vitest";
import { makePreset } from "../testing/make.ts";
import { makeEngine, openDatabase } from "../testing/open-database.ts";
import { makePresets } from "./presets.ts";

// What every store of presets does is in testing/describe-presets.ts.
it("reads a configuration that is none as an empty one", async () => {
  const database = await openDatabase();
  const presets = makePresets(makeEngine(database));
  await presets.put(makePreset());
  await database.updateTable("presets").set({ config: "[" }).execute();
  expect(await presets.list()).toStrictEqual([makePreset({ config: {} })]);
  await database.destroy();
});
