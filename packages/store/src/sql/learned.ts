import { readCalibration } from "@longhaul/models/advanced";
import { type Calibrations, type LearnedWindow, WINDOW_LIFETIME_MS, type Windows } from "../contract/store.ts";
import { type Database, readJson } from "./tables.ts";

export function makeWindows(database: Database): Windows {
  return {
    async find({ upstream, credential, model }, learnedSinceMs) {
      const row = await database
        .selectFrom("windows")
        .selectAll()
        .where(({ and }) => and({ upstream, credential, model }))
        .where("learnedAtMs", ">=", learnedSinceMs)
        .executeTakeFirst();
      return row && { ...row };
    },
    async learn(window) {
      await learnRow(database, window);
    },
    async forget({ upstream, credential, model }) {
      await database
        .deleteFrom("windows")
        .where(({ and }) => and({ upstream, credential, model }))
        .execute();
    },
    async list() {
      const rows = await database.selectFrom("windows").selectAll().orderBy("learnedAtMs", "desc").execute();
      return rows.map((row) => ({ ...row }));
    },
  };
}

/** If two windows are more than a lifetime apart, the later one wins even if it is larger. */
async function learnRow(database: Database, window: LearnedWindow): Promise<void> {
  await database
    .insertInto("windows")
    .values(window)
    .onConflict((conflict) =>
      conflict.columns(["upstream", "credential", "model"]).doUpdateSet(({ eb, ref }) => ({
        windowTokens: eb
          .case()
          .when("excluded.learnedAtMs", ">", eb("windows.learnedAtMs", "+", WINDOW_LIFETIME_MS))
          .then(ref("excluded.windowTokens"))
          .when("excluded.learnedAtMs", "<", eb("windows.learnedAtMs", "-", WINDOW_LIFETIME_MS))
          .then(ref("windows.windowTokens"))
          .when("excluded.windowTokens", "<", ref("windows.windowTokens"))
          .then(ref("excluded.windowTokens"))
          .else(ref("windows.windowTokens"))
          .end(),
        learnedAtMs: eb
          .case()
          .when("excluded.learnedAtMs", ">", ref("windows.learnedAtMs"))
          .then(ref("excluded.learnedAtMs"))
          .else(ref("windows.learnedAtMs"))
          .end(),
      })),
    )
    .execute();
}

/** A calibration with an unknown shape counts as absent: it is learned again. */
export function makeCalibrations(database: Database): Calibrations {
  return {
    async load() {
      const rows = await database.selectFrom("calibrations").selectAll().execute();
      return rows.flatMap(({ upstream, model, state }) => {
        const read = readCalibration(readJson(state));
        return read === undefined ? [] : [{ upstream, model, state: read }];
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
