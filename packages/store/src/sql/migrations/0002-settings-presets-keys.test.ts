import { expect, it } from "vitest";
import { openEmptyDatabase } from "../../testing/open-database.ts";
import { readRevisions } from "../../testing/read-revisions.ts";
import { settingsPresetsKeys } from "./0002-settings-presets-keys.ts";

// What these tables keep is in migrations.test.ts.
it("begins with nothing changed", async () => {
  const database = openEmptyDatabase();
  await settingsPresetsKeys.run(database);
  expect(await readRevisions(database)).toEqual({ settings: 0, presets: 0, keys: 0 });
  await database.destroy();
});
