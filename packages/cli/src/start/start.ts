import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as waitFor } from "node:timers/promises";
import { LonghaulError } from "@longhaul/conversation";
import { type ConfigSource, type Gateway, listen, loadConfig, openGateway, watchFile } from "@longhaul/gateway";
import { type Config, isContextDisabled, isLoopback, type SettingLayers } from "@longhaul/settings";
import { openSimulator } from "@longhaul/simulator";
import { isInMemory, storeLocation } from "@longhaul/store";
import { type ConfigFlags, configSource } from "../config/config-source.ts";
import { describeStart } from "../config/describe-config.ts";
import { connectedClients } from "../connect/connected.ts";
import { dashboardAddress, isLonghaul, reachableAddress } from "../gateway/address.ts";
import { sweepRunKeys } from "../gateway/run-key.ts";
import { findRunning, recordRunning } from "../gateway/running.ts";
import { commandName } from "../terminal/command-name.ts";
import { invalid } from "../terminal/invalid.ts";
import { dashboardFolder } from "../terminal/program-files.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { logWriter } from "./readable-log.ts";
import { findPrimary, forkWorker, SHARES_PORTS, workerTerminal } from "./worker-process.ts";
import { runWorkers } from "./workers.ts";

/** Runs a gateway until it is stopped. Calls back once it accepts connections and has printed its banner. */
export async function start(options: ConfigFlags, terminal: Terminal, onAnnounced = () => {}): Promise<void> {
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
  await sweepRunKeys(terminal, options).catch(ignoreStoreFault);
  // Opened even if unused: a changed file or a stored setting may need it later.
  const simulator = await openSimulator();
  try {
    await serveAll({ source, loaded, simulatorUrl: simulator.url }, terminal, onAnnounced);
  } catch (error) {
    throw (await runningInstead(error, loaded.config)) ?? error;
  } finally {
    await simulator.close();
  }
  terminal.write("Stopped.\n");
}

/** The gateway itself reports a store that it cannot use. */
function ignoreStoreFault(error: unknown): void {
  if (!(error instanceof LonghaulError)) throw error;
}

async function serveAll(
  parts: Omit<ServeOptions, "onReady">,
  terminal: Terminal,
  onAnnounced: () => void,
): Promise<void> {
  const { simulatorUrl, loaded } = parts;
  const { config } = loaded;
  const count = workerCount(config);
  const onReady = (announce: () => Promise<void>) => announce().then(onAnnounced);
  if (count === 1) return serve({ ...parts, onReady }, terminal);
  const wait = (ms: number, signal: AbortSignal) => waitFor(ms, undefined, { signal });
  const free = await freePort(config.server);
  const orders = {
    ...(simulatorUrl !== undefined && { simulatorUrl }),
    ...(config.server.port === 0 && { port: free }),
  };
  await runWorkers({ count, fork: () => forkWorker(orders), wait, nowMs: Date.now, onAnnounced }, terminal);
}

/** Returns a clearer error if the port is in use because a gateway already runs there; otherwise `undefined`. */
async function runningInstead(error: unknown, config: Config): Promise<LonghaulError | undefined> {
  const { host, port } = config.server;
  const url = reachableAddress(host, port);
  if (!isPortInUse(error) || !(await isLonghaul(url))) return undefined;
  const recorded = await findRunning(storeLocation(config));
  const isSame = recorded !== undefined && new URL(recorded.url).port === String(port);
  const id = isSame ? recorded.processId : undefined;
  const stop = id === undefined ? "" : ` It runs in process ${id}: Ctrl-C in its terminal or \`kill ${id}\` stops it.`;
  const remedy = "`longhaul dashboard` prints the link to its dashboard; --port or PORT starts a second one";
  return invalid(`Longhaul is already running at ${url}.${stop} ${remedy}`, error);
}

function isPortInUse(error: unknown): boolean {
  const cause = error instanceof LonghaulError ? error.cause : undefined;
  return cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE";
}

/** Returns the port that workers will share. Fails if another program has it: workers would share it even with another gateway. */
async function freePort(address: Config["server"]): Promise<number> {
  const listener = await listen(() => {}, address);
  await listener.close();
  return Number(new URL(listener.url).port);
}

/** Returns the number of processes; 0 in the settings means one per core. */
function workerCount({ server: { workers }, store }: Config): number {
  const count = workers === 0 ? availableParallelism() : workers;
  if (count > 1 && isInMemory(storeLocation({ store }))) {
    const remedy = "set store.path to a file, or store.url to a PostgreSQL database";
    throw invalid(`several workers need a shared store; ${remedy}`);
  }
  return count;
}

interface ServeOptions {
  readonly source: ConfigSource;
  readonly loaded: ReturnType<typeof loadConfig>;
  readonly simulatorUrl: string | undefined;
  /** Called once the gateway accepts connections, with the function that prints the start banner. */
  readonly onReady: (announce: () => Promise<void>) => Promise<void>;
}

async function serve({ source, loaded, simulatorUrl, onReady }: ServeOptions, terminal: Terminal): Promise<void> {
  const checked = (layers: SettingLayers): SettingLayers => ({
    ...layers,
    check: ({ routes }) => {
      // The file may be empty for a moment while it is being written.
      if (routes.length === 0 && loaded.config.routes.length > 0)
        throw invalid("all routes were removed, so no model would be served");
    },
  });
  const primary = findPrimary();
  const outside = {
    ...outsideOf(simulatorUrl, terminal),
    writeLog: logWriter(terminal),
    sharesPorts: SHARES_PORTS && primary !== undefined,
    ...(primary !== undefined && { siblings: primary.siblings }),
  };
  const gateway = await openGateway(checked(loaded.layers), outside);
  const file = loaded.file === undefined ? {} : { file: loaded.file };
  const read = () => checked(loadConfig({ ...source, ...file }).layers);
  const watched = loaded.file ?? join(terminal.folder, "longhaul.yaml");
  const closers: (() => unknown)[] = [() => gateway.close()];
  try {
    const { url, adminUrl } = gateway;
    const processId = primary === undefined ? process.pid : process.ppid;
    closers.push(recordRunning(storeLocation(loaded.config), { url, adminUrl, processId }));
    // Follow before announcing: a reader of the banner may send SIGHUP at once.
    closers.push(followConfig({ gateway, file: watched, read }, terminal));
    await onReady(() => announce(gateway, loaded, terminal));
    await terminal.stopped();
  } finally {
    await closeAll(closers);
  }
}

/** Closes everything, the latest first. A failure does not keep the rest open; the first one is thrown in the end. */
async function closeAll(closers: readonly (() => unknown)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const close of closers.toReversed()) {
    try {
      await close();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

function outsideOf(simulatorUrl: string | undefined, terminal: Terminal) {
  const pages = dashboardFolder();
  return {
    ...(simulatorUrl !== undefined && { simulatorUrl }),
    ...(pages !== undefined && { dashboardFolder: pages }),
    command: commandName(terminal),
  };
}

/**
 * Opens a gateway for one client: without a log, because the client has the terminal, and at any free port, so that another gateway can be
 * started meanwhile.
 */
export async function openOwnGateway(terminal: Terminal): Promise<OwnGateway> {
  const source = configSource({ host: "127.0.0.1", port: 0 }, terminal);
  const { layers, config } = loadConfig({ ...source, flags: { ...source.flags, "server.adminPort": 0 } });
  const simulator = await openSimulator();
  const closers: (() => unknown)[] = [() => simulator.close()];
  try {
    const gateway = await openGateway(layers, { ...outsideOf(simulator.url, terminal), writeLog: () => {} });
    closers.push(() => gateway.close());
    const { url, adminUrl } = gateway;
    closers.push(recordRunning(storeLocation(config), { url, adminUrl, processId: process.pid }));
    return { url, close: () => closeAll(closers) };
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

interface OwnGateway {
  readonly url: string;
  close(): Promise<void>;
}

async function announce(gateway: Gateway, loaded: ServeOptions["loaded"], terminal: Terminal) {
  const { config, hasStored } = gateway.settings.layered;
  const described = describeStart({
    ...loaded,
    config,
    hasStored,
    isContextDisabled: isContextDisabled(terminal.environment),
    windows: gateway.windows(),
  });
  const link = dashboardAddress(gateway.adminUrl, await gateway.mintAdminToken());
  const lines = [
    `Longhaul is listening on ${gateway.url} (Ctrl-C stops it).`,
    `Dashboard (one-time link; \`longhaul dashboard\` prints another): ${link}`,
    ...(await describeAccess(gateway)),
    ...gateway.warnings.map((warning) => `Warning: ${warning}`),
    described,
    ...describeClients(gateway.url, terminal),
    "All settings: `longhaul config show`",
  ];
  terminal.write(`${lines.join("\n")}\n`);
}

/** Says who has access, except for a gateway without keys that only this machine reaches. */
async function describeAccess(gateway: Gateway): Promise<string[]> {
  if (await gateway.requiresKeys())
    return ["Clients must send an API key of this gateway; manage them with `longhaul keys`."];
  if (isLoopback(new URL(gateway.url).hostname)) return [];
  return ["server.keys is off: anyone who can reach this address has access without an API key."];
}

/** Names the clients of this machine that are connected to a gateway. */
function describeClients(gatewayUrl: string, terminal: Terminal): string[] {
  const { hostname, port } = new URL(gatewayUrl);
  const url = reachableAddress(hostname, Number(port));
  const names = connectedClients(terminal).flatMap((each) => (each.url === url ? each.client.name : []));
  if (names.length > 0) return [`Clients: ${names.join(", ")}`];
  return isLoopback(hostname) ? ["Clients: none is connected; `longhaul setup` connects those on this machine"] : [];
}

interface FollowOptions {
  readonly gateway: Gateway;
  readonly file: string;
  /** Reads the configuration again; throws if it is invalid. */
  readonly read: () => SettingLayers;
}

/** Reloads a gateway's configuration on a change or on request; an invalid one is only logged. Returns a function that ends it. */
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
    failed: (why) => gateway.log.warned(`cannot watch ${file} for changes (${why}); send SIGHUP after a change`),
  });
  return () => {
    ignore();
    watch.close();
  };
}
