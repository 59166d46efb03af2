import { join } from "node:path";
import { LonghaulError } from "@longhaul/conversation";
import { describeConfig, loadConfig, openGateway } from "@longhaul/gateway";
import { type Config, isContextDisabled, type SettingLayers } from "@longhaul/settings";
import { openSimulator } from "@longhaul/simulator";
import { type ConfigFlags, configSource } from "./config-source.ts";
import { dashboardAddress } from "./dashboard-address.ts";
import { dashboardFolder } from "./dashboard-folder.ts";
import { followConfig } from "./follow-config.ts";
import type { Terminal } from "./terminal.ts";

/** Runs the gateway until it is stopped, and follows its configuration meanwhile. */
export async function start(options: ConfigFlags, terminal: Terminal): Promise<void> {
  const { environment, folder } = terminal;
  const source = configSource(options, terminal);
  const loaded = loadConfig(source);
  const simulator = needsSimulator(loaded.config) ? await openSimulator() : undefined;
  try {
    const checked = (layers: SettingLayers): SettingLayers => ({
      ...layers,
      check: ({ upstreams, routes }) => {
        if (simulator === undefined && needsSimulator({ upstreams })) throw noSimulator();
        if (routes.length === 0 && loaded.config.routes.length > 0) throw noRoutes();
      },
    });
    const pages = dashboardFolder();
    const outside = {
      writeLog: terminal.write,
      ...(simulator && { simulatorUrl: simulator.url }),
      ...(pages !== undefined && { dashboardFolder: pages }),
    };
    const gateway = await openGateway(checked(loaded.layers), outside);
    const described = describeConfig({
      ...loaded,
      isContextDisabled: isContextDisabled(environment),
      windows: gateway.windows(),
    });
    const opened = `Dashboard: ${dashboardAddress(gateway.adminUrl, await gateway.mintAdminToken())} ${ONCE}`;
    const asked = (await gateway.asksForKeys()) ? KEYS_ASKED : noKeysAsked(gateway.url);
    const advice = isUnconfigured(loaded) ? SIMULATED : "";
    terminal.write(`${greeting(gateway.url)}\n${opened}\n${asked}\n${described}\n${advice}`);
    const file = loaded.file === undefined ? {} : { file: loaded.file };
    const read = () => checked(loadConfig({ ...source, ...file }).layers);
    const stopFollowing = followConfig({ gateway, file: loaded.file ?? join(folder, "longhaul.yaml"), read }, terminal);
    await terminal.stopped();
    stopFollowing();
    await gateway.close();
  } finally {
    await simulator?.close();
  }
}

/** The simulator is one of this process's own where the configuration does not say where another one is. */
function needsSimulator({ upstreams }: Pick<Config, "upstreams">): boolean {
  return Object.values(upstreams).some(({ kind, baseUrl }) => kind === "simulator" && baseUrl === undefined);
}

/** A file that is being written is empty for a moment. */
function noRoutes(): LonghaulError {
  return new LonghaulError("settings.invalid", "it has no routes any more, so that no model would be served");
}

function noSimulator(): LonghaulError {
  return new LonghaulError("settings.invalid", "the built-in simulator does not run yet; start again to use it");
}

/** Whoever wrote a file, even for the simulator alone, needs no advice to write one. */
function isUnconfigured({ config, file }: ReturnType<typeof loadConfig>): boolean {
  return file === undefined && Object.values(config.upstreams).every(({ kind }) => kind === "simulator");
}

function greeting(url: string): string {
  return `Longhaul listens on ${url} (health: ${url}/healthz). Ctrl-C stops it.`;
}

const KEYS_ASKED = "Clients need a key of this gateway; `longhaul keys` makes, lists and revokes them.";

function noKeysAsked(url: string): string {
  const isAlone = /^http:\/\/(?:127\.|\[::1\])/.test(url);
  return isAlone
    ? "Only this machine gets in, and needs no key; `longhaul keys create` makes one, from which on all clients need one."
    : "server.keys is off: whoever reaches that address gets in without a key.";
}

const ONCE = "(signs in once, within the hour; `longhaul dashboard` prints another)";

const SIMULATED =
  "No model is configured: answers come from the built-in simulator, which takes any key. Set ANTHROPIC_API_KEY, OPENAI_API_KEY or another vendor's key, or write longhaul.yaml, to change that.\n";
