import { existsSync } from "node:fs";
import { mintAdminToken } from "@longhaul/admin";
import { loadConfig } from "@longhaul/gateway";
import { adminAddress, type Config, layerSettings } from "@longhaul/settings";
import { describeStore, isInMemory, type SignIns, type StoreLocation, storeLocation } from "@longhaul/store";
import { type ConfigFlags, configSource, withStore } from "../config/config-source.ts";
import { invalid } from "../terminal/invalid.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { dashboardAddress, isAnswering, reachableAddress, requireAnswering } from "./address.ts";
import { findRunning, signInTo } from "./running.ts";

export async function dashboard(flags: ConfigFlags, terminal: Terminal): Promise<void> {
  const { config, layers } = loadConfig(configSource(flags, terminal));
  const location = sharedStore(config);
  // Opening a store creates it, and an existing one means that `start` has run before.
  if ("path" in location && !existsSync(location.path)) await requireRunning(config.server, location);
  await withStore(location, async ({ settings, signIns }) => {
    const { values: stored } = await settings.load();
    const url = await requireRunning(layerSettings({ ...layers, stored }).config.server, location);
    await requireSameStore(url, location, signIns);
    terminal.write(`${dashboardAddress(url, await mintAdminToken(signIns, Date.now()))}\n`);
  });
}

function sharedStore(config: Config): StoreLocation {
  const location = storeLocation(config);
  if (!isInMemory(location)) return location;
  throw invalid(
    "a gateway with an in-memory store accepts only the link that it printed at startup; use that link, or set server.adminToken",
  );
}

/** Returns the address of the configuration if a gateway answers there, else of the one that uses the store. */
async function requireRunning(server: Config["server"], location: StoreLocation): Promise<string> {
  const { host, port } = adminAddress(server);
  const url = reachableAddress(host, port);
  if (await isAnswering(url)) return url;
  const running = await findRunning(location);
  return running?.adminUrl ?? (await requireAnswering(url, "--host and --port"));
}

/** Signs in and out again to test the gateway: one that rejects the token runs on another store and would reject the printed link, too. */
async function requireSameStore(url: string, location: StoreLocation, signIns: SignIns): Promise<void> {
  const session = await signInTo(url, signIns);
  if (session === undefined) {
    throw invalid(
      `the gateway at ${url} uses a different store than ${describeStore(location)}; choose its store with --store, or use the link that it printed`,
    );
  }
  await session.signOut();
}
