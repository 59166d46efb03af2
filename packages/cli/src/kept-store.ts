import { existsSync } from "node:fs";
import { describePlace, loadConfig, storePlace } from "@longhaul/gateway";
import { openStore, type Store } from "@longhaul/store";
import { type ConfigFlags, configSource } from "./config-source.ts";
import type { Terminal } from "./terminal.ts";

/** What reading a store came to: what was read, or where there is none. */
export type ReadStore<Result> = { readonly read: Result } | { readonly missing: string };

/** Reads from the store that the configuration names, and closes it. A file that is not there is not made. */
export async function readStore<Result>(
  flags: ConfigFlags,
  terminal: Terminal,
  read: (store: Store) => Promise<Result>,
): Promise<ReadStore<Result>> {
  const place = storePlace(loadConfig(configSource(flags, terminal)).config);
  if ("path" in place && !existsSync(place.path)) return { missing: describePlace(place) };
  const store = await openStore({ ...place, nowMs: Date.now });
  try {
    return { read: await read(store) };
  } finally {
    await store.close();
  }
}
