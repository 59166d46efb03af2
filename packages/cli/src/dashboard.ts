import { LonghaulError } from "@longhaul/conversation";
import { loadConfig, mintAdminToken, storePlace } from "@longhaul/gateway";
import { type Config, layerSettings } from "@longhaul/settings";
import { openStore, type Store } from "@longhaul/store";
import { type ConfigFlags, configSource } from "./config-source.ts";
import { dashboardAddress } from "./dashboard-address.ts";
import { requireAnswering } from "./require-answering.ts";
import type { Terminal } from "./terminal.ts";

/** Prints an address that opens the dashboard of a gateway that runs on the same store. */
export async function dashboard(options: ConfigFlags, terminal: Terminal): Promise<void> {
  const { config, layers } = loadConfig(configSource(options, terminal));
  const store = await openRunningStore(config);
  try {
    const { values: stored } = await store.settings.load();
    const { server } = layerSettings({ ...layers, stored }).config;
    const url = await requireRunning(server);
    terminal.write(`${dashboardAddress(url, await mintAdminToken(store.signIns, Date.now()))}\n`);
  } finally {
    await store.close();
  }
}

function openRunningStore(config: Config): Promise<Store> {
  const place = storePlace(config);
  if ("url" in place || place.path !== ":memory:") return openStore({ ...place, nowMs: Date.now });
  throw new LonghaulError(
    "settings.invalid",
    "a gateway that keeps its store in memory lets nobody else in; use the address that it printed, or set server.adminToken",
  );
}

function requireRunning({ host, port, adminPort = port }: Config["server"]): Promise<string> {
  return requireAnswering(`http://${host.includes(":") ? `[${host}]` : host}:${adminPort}`, "--host and --port");
}
