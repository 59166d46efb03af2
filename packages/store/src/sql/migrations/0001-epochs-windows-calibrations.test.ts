import { expect, it } from "vitest";
import { openEmptyDatabase } from "../../testing/open-database.ts";
import { epochsWindowsCalibrations } from "./0001-epochs-windows-calibrations.ts";

it("makes the first tables, which are never changed in here again", async () => {
  const database = openEmptyDatabase();
  await epochsWindowsCalibrations.run(database);
  const tables = await database.withoutPlugins().introspection.getTables();
  expect(Object.fromEntries(tables.map(({ name, columns }) => [name, columns.map(spell)]))).toEqual({
    calibrations: ["upstream text", "model text", "state text"],
    epochs: [
      "scope text",
      "prefix text",
      "version integer",
      "is_stand_in integer",
      "from integer",
      "messages integer",
      "used_at_ms double precision",
      "made_at_ms double precision",
      "tokens_before double precision",
      "tokens_after double precision",
      "target_tokens double precision",
      "cost_usd double precision",
      "tenant text",
      "session text",
      "upstream text",
      "model text",
      "strategy text",
      "projection text",
    ],
    windows: [
      "upstream text",
      "credential text",
      "model text",
      "window_tokens double precision",
      "learned_at_ms double precision",
    ],
  });
  await database.destroy();
});

function spell({ name, dataType }: { name: string; dataType: string }): string {
  return `${name} ${dataType.toLowerCase()}`;
}
