import type { Store } from "../store.ts";
import { makeCalibrations } from "./calibrations.ts";
import type { Engine } from "./engine.ts";
import { makeEpochs } from "./epochs.ts";
import { makeWindows } from "./windows.ts";

/** All that every kind of database keeps in the same way. */
export function makeStore(engine: Engine): Omit<Store, "close" | "changes"> {
  const { database } = engine;
  return {
    epochs: makeEpochs(engine),
    windows: makeWindows(database),
    calibrations: makeCalibrations(database),
  };
}
