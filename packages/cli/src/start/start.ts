import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as waitFor } from "node:timers/promises";
import { LonghaulError } from "@longhaul/conversation";
import {
  type ConfigSource,
  describeConfig,
  type Gateway,
  listen,
  loadConfig,
  openGateway,
  watchFile,
} from "@longhaul/gateway";
import { BUILT_IN_KIND } from "@longhaul/models/kinds";
import { type Config, isContextDisabled, isLoopback, type SettingLayers } from "@longhaul/settings";
import { openSimulator } from "@longhaul/simulator";
import { isInMemory, storeLocation } from "@longhaul/store";
import { type ConfigFlags, configSource } from "../config/config-source.ts";
import { dashboardAddress } from "../gateway/address.ts";
import { dashboardFolder } from "../terminal/program-files.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { findPrimary, forkWorker, SHARES_PORTS, workerTerminal } from "./worker-process.ts";
import { runWorkers } from "./workers.ts";

/** Runs the gateway, or several on one port, until it is stopped. */
export async function start(options: ConfigFlags, terminal: Terminal): Promise<void> {
  const primary = findPrimary();
  const workerOutput = primary === undefined ? terminal : workerTerminal(terminal, primary);
  const { port = options.port } = primary ?? {};
  const source = configSource({ ...options, ...(port !== undefined && { port }) }, terminal);
  const loaded = loadConfig(source);
  terminal.ignoreLostOutput();
  if (primary !== undefined) {
    const { simulatorUrl } = primary;
    const onReady = async (announce: () => Promise<void>) => {
      primary.on("announce", () => void announce());
      primary.reportReady();
    };
    return await serve({ source, loaded, simulatorUrl, onReady }, workerOutput);
  }
  const count = workerCount(loaded.config);
  // Always: a file that changes, or what is stored, may ask for it later.
  const simulator = await openSimulator();
  try {
    if (count === 1) {
      await serve({ source, loaded, simulatorUrl: simulator.url, onReady: (announce) => announce() }, terminal);
    } else {
      const wait = (ms: number, signal: AbortSignal) => waitFor(ms, undefined, { signal });
      const free = await freePort(loaded.config.server);
      const orders = { simulatorUrl: simulator.url, ...(loaded.config.server.port === 0 && { port: free }) };
      await runWorkers({ count, fork: () => forkWorker(orders), wait, nowMs: Date.now }, terminal);
    }
  } finally {
    await simulator.close();
  }
}

/** The port that workers will share. One that another program has is told now: workers would share it even with another gateway. */
async function freePort(address: Config["server"]): Promise<number> {
  const listener = await listen(() => {}, address);
  await listener.close();
  return Number(new URL(listener.url).port);
}

/** How many processes are to answer; 0 in the settings stands for one for each core. */
function workerCount({ server: { workers }, store }: Config): number {
  const count = workers === 0 ? availableParallelism() : workers;
  if (count > 1 && isInMemory(storeLocation({ store }))) throw noSharedStore();
  return count;
}

/** A gateway of this process. */
interface ServeOptions {
  readonly source: ConfigSource;
  readonly loaded: ReturnType<typeof loadConfig>;
  readonly simulatorUrl: string | undefined;
  /** Called once it accepts connections, with what tells the user so. */
  readonly onReady: (announce: () => Promise<void>) => Promise<void>;
}

/** Runs a gateway until it is stopped, and follows its configuration meanwhile. */
async function serve({ source, loaded, simulatorUrl, onReady }: ServeOptions, terminal: Terminal): Promise<void> {
  const checked = (layers: SettingLayers): SettingLayers => ({
    ...layers,
    check: ({ routes }) => {
      if (routes.length === 0 && loaded.config.routes.length > 0) throw noRoutes();
    },
  });
  const pages = dashboardFolder();
  const primary = findPrimary();
  const outside = {
    writeLog: terminal.write,
    sharesPorts: SHARES_PORTS && primary !== undefined,
    ...(primary !== undefined && { siblings: primary.siblings }),
    ...(simulatorUrl !== undefined && { simulatorUrl }),
    ...(pages !== undefined && { dashboardFolder: pages }),
  };
  const gateway = await openGateway(checked(loaded.layers), outside);
  const file = loaded.file === undefined ? {} : { file: loaded.file };
  const read = () => checked(loadConfig({ ...source, ...file }).layers);
  const watched = loaded.file ?? join(terminal.folder, "longhaul.yaml");
  const stopFollowing = followConfig({ gateway, file: watched, read }, terminal);
  try {
    // Whoever is told may send SIGHUP at once.
    await onReady(() => announce(gateway, loaded, terminal));
    await terminal.stopped();
  } finally {
    stopFollowing();
    await gateway.close();
  }
}

/** Tells the user where the gateway is and what it does. */
async function announce(
  gateway: Gateway,
  loaded: ServeOptions["loaded"],
  { environment, write }: Terminal,
): Promise<void> {
  const { config, hasStored } = gateway.settings.layered;
  const described = describeConfig({
    ...loaded,
    config,
    hasStored,
    isContextDisabled: isContextDisabled(environment),
    windows: gateway.windows(),
  });
  const opened = `Dashboard: ${dashboardAddress(gateway.adminUrl, await gateway.mintAdminToken())} ${SIGN_IN_NOTE}`;
  const asked = (await gateway.asksForKeys()) ? KEYS_REQUIRED : noKeysRequired(gateway.url);
  const advice = isUnconfigured({ ...loaded, config }) ? SIMULATED : "";
  write(`${listeningLine(gateway.url)}\n${opened}\n${asked}\n${described}\n${advice}`);
}

/** A file that is being written is empty for a moment. */
function noRoutes(): LonghaulError {
  return new LonghaulError("settings.invalid", "it has no routes any more, so that no model would be served");
}

function noSharedStore(): LonghaulError {
  const advice = "set store.path to a file, or store.url to a PostgreSQL";
  return new LonghaulError("settings.invalid", `several workers need a store that they share; ${advice}`);
}

/** Whoever wrote a file, even for the simulator alone, needs no advice to write one. */
function isUnconfigured({ config, file }: Pick<ServeOptions["loaded"], "config" | "file">): boolean {
  return file === undefined && Object.values(config.upstreams).every(({ kind }) => kind === BUILT_IN_KIND);
}

function listeningLine(url: string): string {
  return `Longhaul listens on ${url} (health: ${url}/healthz). Ctrl-C stops it.`;
}

const KEYS_REQUIRED = "Clients need a key of this gateway; `longhaul keys` makes, lists and revokes them.";

function noKeysRequired(url: string): string {
  return isLoopback(new URL(url).hostname)
    ? "Only this machine has access, without a key. After `longhaul keys create`, every client needs one."
    : "server.keys is off: anyone who can reach that address has access without a key.";
}

const SIGN_IN_NOTE = "(signs in once, within the hour; `longhaul dashboard` prints another)";

const SIMULATED =
  "No model is configured: answers come from the built-in simulator, which takes any key. Set ANTHROPIC_API_KEY, OPENAI_API_KEY or another vendor's key, or write longhaul.yaml, to change that.\n";

/** A running gateway and where its configuration comes from. */
interface FollowOptions {
  readonly gateway: Gateway;
  /** The file to watch. */
  readonly file: string;
  /** Reads the configuration anew; throws where it is bad. */
  readonly read: () => SettingLayers;
}

/**
 * Gives a gateway its configuration anew whenever the file changes or somebody asks for it. A bad one is logged and changes nothing. Ends
 * when the result is called.
 */
export function followConfig({ gateway, file, read }: FollowOptions, terminal: Terminal): () => void {
  const reload = () => {
    try {
      gateway.reload(read());
    } catch (error) {
      gateway.log.notReloaded(error instanceof Error ? error.message : String(error));
    }
  };
  const ignore = terminal.onReload(reload);
  const watch = watchFile(file, {
    changed: reload,
    failed: (why) => gateway.log.warned(`${file} is not watched (${why}); send SIGHUP after a change`),
  });
  return () => {
    ignore();
    watch.close();
  };
}
