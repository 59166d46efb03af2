import type { Store } from "../contract/store.ts";
import { makeContents } from "./contents.ts";
import { makeLeases } from "./coordination.ts";
import type { Engine } from "./engine.ts";
import { makeEpochs } from "./epochs.ts";
import { makeEvents } from "./events.ts";
import { makeFronts } from "./fronts.ts";
import { makeKeys, makeSignIns } from "./keys.ts";
import { makeCalibrations, makeWindows } from "./learned.ts";
import { makeLimits } from "./limits.ts";
import { makePresets, makeSettings } from "./settings.ts";

/** The parts of a store that both databases share. */
interface SharedParts extends Omit<Store, "close" | "changes" | "notices"> {
  /** Waits for everything that is still being written. */
  settle(): Promise<void>;
}

export function makeStore(engine: Engine): SharedParts {
  const { database } = engine;
  const { settle, ...epochs } = makeEpochs(engine);
  return {
    settle,
    epochs,
    fronts: makeFronts(engine),
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
