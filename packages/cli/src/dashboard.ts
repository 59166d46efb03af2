import { LonghaulError } from "@longhaul/conversation";
import { isInMemory, loadConfig, mintAdminToken, type StorePlace, storePlace } from "@longhaul/gateway";
import { type Config, layerSettings } from "@longhaul/settings";
import { type ConfigFlags, configSource } from "./config-source.ts";
import { dashboardAddress } from "./dashboard-address.ts";
import { withStore } from "./kept-store.ts";
import { reachableAddress } from "./reachable-address.ts";
import { requireAnswering } from "./require-answering.ts";
import type { Terminal } from "./terminal.ts";

/** Prints an address that opens the dashboard of a gateway that runs on the same store. */
export async function dashboard(flags: ConfigFlags, terminal: Terminal): Promise<void> {
  const { config, layers } = loadConfig(configSource(flags, terminal));
  await withStore(sharedPlace(config), async ({ settings, signIns }) => {
    const { values: stored } = await settings.load();
    const url = await requireRunning(layerSettings({ ...layers, stored }).config.server);
    terminal.write(`${dashboardAddress(url, await mintAdminToken(signIns, Date.now()))}\n`);
  });
}

function sharedPlace(config: Config): StorePlace {
  const place = storePlace(config);
  if (!isInMemory(place)) return place;
  throw new LonghaulError(
    "settings.invalid",
    "a gateway that keeps its store in memory lets nobody else in; use the address that it printed, or set server.adminToken",
  );
}

function requireRunning({ host, port, adminPort = port }: Config["server"]): Promise<string> {
  return requireAnswering(reachableAddress(host, adminPort), "--host and --port");
}
