import { totalmem } from "node:os";
import { type LiveSettings, openAdmin, openChangeFeed } from "@longhaul/admin";
import { inTime, once, openScanner } from "@longhaul/fit";
import {
  adminAddress,
  type Config,
  layerSettings,
  type SettingLayers,
  sharesAdminPort,
  switchWarnings,
} from "@longhaul/settings";
import { type LearnedWindow, openStore, storeLocation } from "@longhaul/store";
import { type LiveSnapshots, openLiveSnapshots } from "./configuration/live-snapshots.ts";
import type { SnapshotContext } from "./configuration/snapshot.ts";
import { notifyAll } from "./events/observer.ts";
import type { ServerContext } from "./http/exchange.ts";
import { makeGate } from "./http/gate.ts";
import { type ListenAddress, listen } from "./http/listen.ts";
import type { Side } from "./http/pages.ts";
import { checkHost, lockedOutWarning, openAccess, requiresKeys } from "./keys/access.ts";
import type { Log } from "./logging/log.ts";
import { openMemory } from "./memory/memory.ts";
import { openObserving, type Siblings } from "./observing.ts";
import { serveRequest } from "./pipeline.ts";
import { findRoute, resolveWithoutKey } from "./stages/resolve.ts";

/** A gateway that accepts connections. */
export interface Gateway {
  readonly url: string;
  /** The URL of the dashboard and the admin API. */
  readonly adminUrl: string;
  /** Makes a one-time sign-in token for the dashboard, valid for an hour. */
  mintAdminToken(): Promise<string>;
  /** Whether clients currently need an API key. */
  requiresKeys(): Promise<boolean>;
  /** Problems that the gateway started with. They are also in its log. */
  readonly warnings: readonly string[];
  readonly settings: LiveSettings;
  /** The log of the active configuration. */
  readonly log: Log;
  /** Returns the context windows that are currently learned from overflow errors. */
  windows(): readonly LearnedWindow[];
  /**
   * Activates another file, environment and flags and logs the changes; requests in flight finish with the old ones. Invalid settings throw and
   * change nothing. Learned windows are read from the store again, because they may have been cleared there.
   */
  reload(layers: SettingLayers): void;
  /** Rejects new requests, lets those in flight finish for `server.drainSeconds`, and closes everything. */
  close(): Promise<void>;
}

/** The environment of a gateway apart from its settings. */
export interface GatewayOptions {
  /** The URL of the built-in simulator, if it runs. */
  readonly simulatorUrl?: string;
  /** Receives each log line. @default the log is discarded */
  readonly writeLog?: (line: string) => void;
  /** Whether other processes of the same user listen on the same ports. @default false */
  readonly sharesPorts?: boolean;
  /** The other workers of the same program. @default none */
  readonly siblings?: Siblings;
  /** The folder of the dashboard's files. @default a page that says they are missing */
  readonly dashboardFolder?: string;
  /** How users call the command line. @default `longhaul` */
  readonly command?: string;
}

/** Opens the gateway with these settings and the stored ones; resolves when it accepts connections. */
export async function openGateway(layers: SettingLayers, options: GatewayOptions = {}): Promise<Gateway> {
  const environment = layers.environment ?? {};
  const context = { ...options, environment, nowMs: Date.now, nowSeconds: () => Date.now() / 1_000 };
  const { close, settings, ...parts } = await openParts(layers, context);
  const { snapshots, gate, memory, admin, access, warnings } = parts;
  for (const warning of warnings) snapshots.current().log.warned(warning);
  const serverConfig = () => snapshots.current().config.server;
  const listeners = await listenAt(serverConfig(), { ...parts, isShared: options.sharesPorts }).catch(
    async (error: unknown) => {
      await close();
      throw error;
    },
  );
  return {
    url: listeners.clients.url,
    adminUrl: listeners.operator.url,
    mintAdminToken: () => admin.mintToken(),
    requiresKeys: () => requiresKeys(serverConfig(), access.ring),
    warnings,
    settings,
    get log() {
      return snapshots.current().log;
    },
    windows: () => memory.fitting.learned.windows(),
    reload: (next) => {
      settings.reload(next);
      void memory.fitting.learned.reloadWindows();
    },
    close: async () => {
      // Requests in flight may finish, but only until the deadline.
      await inTime(serverConfig().drainSeconds * 1_000, gate.close());
      await Promise.all([...new Set(Object.values(listeners))].map((listener) => listener.close()));
      await close();
    },
  };
}

/** Opens all parts of the gateway. If one cannot be opened, the others are closed again. */
async function openParts(layers: SettingLayers, context: SnapshotContext & GatewayOptions) {
  const closers: (() => Promise<void> | void)[] = [];
  const keep: Keep = (part) => {
    closers.push(() => part.close());
    return part;
  };
  const close = async () => {
    for (const closeOne of closers.toReversed()) await closeOne();
  };
  try {
    return { ...(await openEach(layers, context, keep)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Closes a part when the gateway is closed. */
type Keep = <Part extends { close(): Promise<void> | void }>(part: Part) => Part;

async function openEach(layers: SettingLayers, context: SnapshotContext & GatewayOptions, keep: Keep) {
  let live: LiveSnapshots | undefined;
  const onReplaced = (notice: string) => {
    live?.snapshots.current().log.warned(notice);
    live?.startOver();
  };
  const { nowMs, siblings } = context;
  const location = storeLocation(layerSettings(layers).config);
  const store = keep(await openStore({ ...location, nowMs, onReplaced }));
  live = keep(await openLiveSnapshots(layers, store, context));
  const { settings, snapshots } = live;
  const config = () => snapshots.current().config;
  const gate = makeGate(
    () => config().server.maxRequests,
    () => bodyBytes(config().server),
  );
  const warn = (what: string) => snapshots.current().log.warned(what);
  const changes = keep(openChangeFeed(store.changes));
  const observing = keep(openObserving({ store, snapshots, gate, changes, nowMs, siblings }));
  const memory = keep(await openMemory(store, { warn, nowMs, waitMs: () => config().store.waitSeconds * 1_000 }));
  const scanner = keep(openScanner());
  const access = keep(await openAccess({ store, nowMs, warn, alerts: () => config().alerts }));
  await checkHost(config().server, access.ring);
  const lockedOut = await lockedOutWarning(config().server, { ring: access.ring, keys: store.keys });
  const { fitting } = memory;
  const home = context.environment.HOME ?? context.environment.USERPROFILE;
  const shared = {
    store,
    settings,
    changes,
    snapshots,
    fitting,
    gate,
    nowMs,
    home,
    alerts: access.alerts,
    command: context.command,
  };
  const host = { ...shared, findRoute, resolve: resolveWithoutKey };
  const admin = keep(openAdmin(host, context.dashboardFolder));
  const observed = { ...observing, observer: notifyAll([observing.observer, access.limiter]) };
  const warnings = [
    ...(snapshots.current().isContextDisabled ? [CONTEXT_DISABLED] : []),
    ...switchWarnings(context.environment),
    ...(lockedOut === undefined ? [] : [`${lockedOut.why}; ${lockedOut.remedy}`]),
  ];
  return { memory, scanner, settings, snapshots, gate, observing: observed, access, admin, warnings };
}

const MIB = 1024 * 1024;
/** Bodies are held as bytes and, for a while, as parsed values: a larger share could exhaust the memory. */
const BODIES_SHARE = 1 / 4;

function bodyBytes({ bodiesInFlightMiB }: Config["server"]): number {
  if (bodiesInFlightMiB !== undefined) return bodiesInFlightMiB * MIB;
  return memoryBytes() * BODIES_SHARE;
}

/** Computed once, because Node reads a file for it. */
const memoryBytes = once(() => Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY));

const CONTEXT_DISABLED = "DISABLE_CONTEXT_COMPRESSION is set: requests that exceed a model's window are not condensed";

interface ListenContext extends ServerContext {
  readonly isShared: boolean | undefined;
}

/** Listens for clients and for the operator: with the same listener, unless the admin side has its own port. */
async function listenAt(server: Config["server"], context: ListenContext) {
  const { isShared } = context;
  const open = (address: ListenAddress, side: Side) => {
    const sided = { ...context, side };
    const requestTimeoutMs = server.requestTimeoutSeconds * 1_000;
    return listen((request, response) => void serveRequest(request, response, sided), {
      ...address,
      isShared,
      requestTimeoutMs,
    });
  };
  const { host, port } = server;
  if (sharesAdminPort(server)) {
    const both = await open({ host, port }, "all");
    return { clients: both, operator: both };
  }
  const clients = await open({ host, port }, "clients");
  try {
    const address = { ...adminAddress(server), portSetting: "server.adminPort" };
    return { clients, operator: await open(address, "operator") };
  } catch (error) {
    await clients.close();
    throw error;
  }
}
