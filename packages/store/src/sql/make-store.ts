import type { Store } from "../contract/store.ts";
import { makeContents } from "./contents.ts";
import { makeLeases } from "./coordination.ts";
import type { Engine } from "./engine.ts";
import { makeEpochs } from "./epochs.ts";
import { makeEvents } from "./events.ts";
import { makeKeys, makeSignIns } from "./keys.ts";
import { makeCalibrations, makeWindows } from "./learned.ts";
import { makeLimits } from "./limits.ts";
import { makePresets, makeSettings } from "./settings.ts";

export function makeStore(engine: Engine): Omit<Store, "close" | "changes" | "notices"> {
  const { database } = engine;
  return {
    epochs: makeEpochs(engine),
    windows: makeWindows(database),
    calibrations: makeCalibrations(database),
    settings: makeSettings(engine),
    presets: makePresets(engine),
    keys: makeKeys(engine),
    limits: makeLimits(engine),
    events: makeEvents(engine),
    contents: makeContents(database),
    leases: makeLeases(database),
    signIns: makeSignIns(database),
  };
}
