import { mintAdminToken } from "@longhaul/admin";
import { loadConfig } from "@longhaul/gateway";
import { adminAddress, type Config, layerSettings } from "@longhaul/settings";
import { describeStore, isInMemory, type StoreLocation, storeLocation } from "@longhaul/store";
import { type ConfigFlags, configSource, withStore } from "../config/config-source.ts";
import { invalid } from "../terminal/invalid.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { dashboardAddress, reachableAddress, requireAnswering } from "./address.ts";

export async function dashboard(flags: ConfigFlags, terminal: Terminal): Promise<void> {
  const { config, layers } = loadConfig(configSource(flags, terminal));
  const location = sharedStore(config);
  await withStore(location, async ({ settings, signIns }) => {
    const { values: stored } = await settings.load();
    const url = await requireRunning(layerSettings({ ...layers, stored }).config.server);
    const mint = () => mintAdminToken(signIns, Date.now());
    await requireSameStore(url, location, await mint());
    terminal.write(`${dashboardAddress(url, await mint())}\n`);
  });
}

function sharedStore(config: Config): StoreLocation {
  const location = storeLocation(config);
  if (!isInMemory(location)) return location;
  throw invalid(
    "a gateway with an in-memory store accepts only the link that it printed at startup; use that link, or set server.adminToken",
  );
}

function requireRunning(server: Config["server"]): Promise<string> {
  const { host, port } = adminAddress(server);
  return requireAnswering(reachableAddress(host, port), "--host and --port");
}

/** Spends a token to test the gateway: one that rejects it runs on another store and would reject the printed link, too. */
async function requireSameStore(url: string, location: StoreLocation, token: string): Promise<void> {
  const headers = { "content-type": "application/json", "x-longhaul-admin": "1" };
  const answer = await fetch(`${url}/api/sign-in`, { method: "POST", headers, body: JSON.stringify({ token }) });
  if (answer.status === 401) {
    throw invalid(
      `the gateway at ${url} uses a different store than ${describeStore(location)}; choose its store with --store, or use the link that it printed`,
    );
  }
  const [cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
  await fetch(`${url}/api/sign-out`, { method: "POST", headers: { ...headers, cookie } });
}
