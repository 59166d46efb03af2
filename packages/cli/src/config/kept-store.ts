import { statSync } from "node:fs";
import { describePlace, loadConfig, type StorePlace, storePlace } from "@longhaul/gateway";
import { openStore, type Store } from "@longhaul/store";
import type { Terminal } from "../terminal/terminal.ts";
import { type ConfigFlags, configSource } from "./config-source.ts";

/** The store that the configuration names. */
export function configuredStore(flags: ConfigFlags, terminal: Terminal): StorePlace {
  return storePlace(loadConfig(configSource(flags, terminal)).config);
}

/** Does something with a store, and closes it. A file that is not there is made. */
export async function withStore<Result>(place: StorePlace, act: (store: Store) => Promise<Result>): Promise<Result> {
  const store = await openStore({ ...place, nowMs: Date.now });
  try {
    return await act(store);
  } finally {
    await store.close();
  }
}

/** What reading a store came to: what was read, or where there is none. */
export type ReadStore<Result> = { readonly read: Result } | { readonly missing: string };

/** Reads from a store, and closes it. A file that is not there is not made. */
export async function readStore<Result>(
  place: StorePlace,
  read: (store: Store) => Promise<Result>,
): Promise<ReadStore<Result>> {
  if ("path" in place && isMissing(place.path)) return { missing: describePlace(place) };
  return { read: await withStore(place, read) };
}

/** A file that may not be looked at is not missing: opening it says why. */
function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}
