import type { Presets, StoredPreset } from "../contract/presets.ts";
import type { Engine } from "./engine.ts";
import { readJsonObject } from "./read-json.ts";
import { revise } from "./revisions.ts";
import type { PresetRow } from "./tables.ts";

/** Presets in a database. */
export function makePresets({ database, notify }: Engine): Presets {
  return {
    async list() {
      const rows = await database.selectFrom("presets").selectAll().execute();
      return rows.map(presetOf).sort(byName);
    },
    async find(name) {
      const row = await database.selectFrom("presets").selectAll().where("name", "=", name).executeTakeFirst();
      return row && presetOf(row);
    },
    async put(preset) {
      const row = { ...preset, config: JSON.stringify(preset.config) };
      await database.transaction().execute(async (transaction) => {
        await transaction
          .insertInto("presets")
          .values(row)
          .onConflict((conflict) => conflict.column("name").doUpdateSet(row))
          .execute();
        await revise(transaction, { kind: "presets", notify });
      });
    },
    remove: (name) =>
      database.transaction().execute(async (transaction) => {
        const removed = await transaction.deleteFrom("presets").where("name", "=", name).executeTakeFirstOrThrow();
        if (removed.numDeletedRows === 0n) return false;
        await revise(transaction, { kind: "presets", notify });
        return true;
      }),
  };
}

function presetOf({ config, ...row }: PresetRow): StoredPreset {
  return { ...row, config: readJsonObject(config) };
}

/** Not left to the database: each sorts texts in its own way. */
function byName(left: StoredPreset, right: StoredPreset): number {
  return left.name < right.name ? -1 : 1;
}
