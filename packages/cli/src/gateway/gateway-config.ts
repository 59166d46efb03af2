import { settingsSchema, upstreamsSchema } from "@longhaul/admin/api";
import { type Config, parseConfig } from "@longhaul/settings";
import { isInMemory, storeLocation } from "@longhaul/store";
import { layeredSettings, withStore } from "../config/config-source.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type AdminSession, findRunning, signInTo } from "./running.ts";

/**
 * Returns the configuration with the upstreams and routes of the gateway that uses the store, if one is running: it may have been started with
 * other variables, or in another folder. Secrets are replaced.
 */
export async function gatewayConfig(terminal: Terminal): Promise<Config> {
  const { config } = await layeredSettings({}, terminal);
  const location = storeLocation(config);
  const running = isInMemory(location) ? undefined : await findRunning(location);
  if (running === undefined) return config;
  return withStore(location, async ({ signIns }) => {
    const session = await signInTo(running.adminUrl, signIns);
    if (session === undefined) return config;
    try {
      return { ...config, ...(await readRouting(session)) };
    } finally {
      await session.signOut();
    }
  });
}

/** Reads the upstreams and routes of a gateway. */
export async function readRouting(session: AdminSession): Promise<Pick<Config, "upstreams" | "routes">> {
  const { upstreams } = upstreamsSchema.parse(await session.call("GET", "/upstreams"));
  const { settings } = settingsSchema.parse(await session.call("GET", "/settings"));
  const named = upstreams.map(({ name, settings: own, secrets }) => {
    return [name, { ...own, ...Object.fromEntries(secrets.map((secret) => [secret, "set"])) }];
  });
  const routes = settings.find(({ path }) => path === "routes")?.value ?? [];
  return parseConfig({ upstreams: Object.fromEntries(named), routes }, {});
}
