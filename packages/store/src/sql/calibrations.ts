import { calibrationSchema } from "@longhaul/models";
import type { Calibrations } from "../store.ts";
import { readJson } from "./read-json.ts";
import type { Database } from "./tables.ts";

/** Calibrations in a database. One whose state is not of today's shape counts as absent: it is learned again. */
export function makeCalibrations(database: Database): Calibrations {
  return {
    async load() {
      const rows = await database.selectFrom("calibrations").selectAll().execute();
      return rows.flatMap(({ upstream, model, state }) => {
        const { data } = calibrationSchema.safeParse(readJson(state));
        return data === undefined ? [] : [{ upstream, model, state: data }];
      });
    },
    async save({ upstream, model, state: learned }) {
      const state = JSON.stringify(learned);
      await database
        .insertInto("calibrations")
        .values({ upstream, model, state })
        .onConflict((conflict) => conflict.columns(["upstream", "model"]).doUpdateSet({ state }))
        .execute();
    },
  };
}
