import { statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type ConfigSource, loadConfig } from "@longhaul/gateway";
import { describeStore, openStore, type Store, type StoreLocation, storeLocation } from "@longhaul/store";
import type { Terminal } from "../terminal/terminal.ts";

/** The flags that say something about the configuration. */
export interface ConfigFlags {
  readonly config?: string;
  readonly host?: string;
  readonly port?: number;
  readonly store?: string;
  readonly workers?: number;
}

/** Where a command finds the configuration, and what its flags say instead. The store is in the user's data folder unless somebody says otherwise. */
export function configSource({ config, host, port, store, workers }: ConfigFlags, terminal: Terminal): ConfigSource {
  const { environment, folder } = terminal;
  const data = environment.XDG_DATA_HOME || join(environment.HOME || homedir(), ".local", "share");
  return {
    environment,
    folder,
    ...(config !== undefined && { file: config }),
    defaults: { "store.path": join(data, "longhaul", "longhaul.db") },
    flags: {
      ...(host !== undefined && { "server.host": host }),
      ...(port !== undefined && { "server.port": port }),
      ...(store !== undefined && { "store.path": store }),
      ...(workers !== undefined && { "server.workers": workers }),
    },
  };
}

/** The store that the configuration names. */
export function configuredStore(flags: ConfigFlags, terminal: Terminal): StoreLocation {
  return storeLocation(loadConfig(configSource(flags, terminal)).config);
}

/** Does something with a store, and closes it. A file that is not there is made. */
export async function withStore<Result>(place: StoreLocation, act: (store: Store) => Promise<Result>): Promise<Result> {
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
  place: StoreLocation,
  read: (store: Store) => Promise<Result>,
): Promise<ReadStore<Result>> {
  if ("path" in place && isMissing(place.path)) return { missing: describeStore(place) };
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
