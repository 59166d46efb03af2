import { statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type ConfigSource, loadConfig } from "@longhaul/gateway";
import { type LayeredSettings, layerSettings } from "@longhaul/settings";
import { describeStore, openStore, type Store, type StoreLocation, storeLocation } from "@longhaul/store";
import type { Terminal } from "../terminal/terminal.ts";

export interface ConfigFlags {
  readonly config?: string;
  readonly host?: string;
  readonly port?: number;
  readonly store?: string;
  readonly workers?: number;
}

/** Returns where a command reads the configuration, with its flags as overrides. The store's default is in the user's data folder. */
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

export function configuredStore(flags: ConfigFlags, terminal: Terminal): StoreLocation {
  return storeLocation(loadConfig(configSource(flags, terminal)).config);
}

/** Opens a store, uses it and closes it. Creates a missing file. */
export async function withStore<Result>(
  location: StoreLocation,
  act: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStore({ ...location, nowMs: Date.now });
  try {
    return await act(store);
  } finally {
    await store.close();
  }
}

/** Returns the configuration, with stored settings if there is a store. */
export async function layeredSettings(flags: ConfigFlags, terminal: Terminal): Promise<LayeredSettings> {
  const { layers, config } = loadConfig(configSource(flags, terminal));
  const result = await readStore(storeLocation(config), ({ settings }) => settings.load());
  return layerSettings("read" in result ? { ...layers, stored: result.read.values } : layers);
}

/** The result of reading a store, or the location at which there is none. */
export type ReadStore<Result> = { readonly read: Result } | { readonly missing: string };

/** Reads from a store and closes it. Does not create a missing file. */
export async function readStore<Result>(
  location: StoreLocation,
  read: (store: Store) => Promise<Result>,
): Promise<ReadStore<Result>> {
  if ("path" in location && isMissing(location.path)) return { missing: describeStore(location) };
  return { read: await withStore(location, read) };
}

/** A file without read permission is not missing: opening it reports the reason. */
function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}
