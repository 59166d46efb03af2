import { totalmem } from "node:os";
import { type LiveSettings, openAdmin, openChangeFeed } from "@longhaul/admin";
import { inTime, once, openScanner } from "@longhaul/fit";
import { adminAddress, type Config, layerSettings, type SettingLayers, sharesAdminPort } from "@longhaul/settings";
import { type LearnedWindow, openStore, storeLocation } from "@longhaul/store";
import { type LiveSnapshots, openLiveSnapshots } from "./configuration/live-snapshots.ts";
import type { SnapshotContext } from "./configuration/snapshot.ts";
import { notifyAll } from "./events/observer.ts";
import type { ServerContext } from "./http/exchange.ts";
import { makeGate } from "./http/gate.ts";
import type { Side } from "./http/pages.ts";
import { asksForKeys, checkHost } from "./keys/asks-for-keys.ts";
import { openAccess } from "./keys/open-access.ts";
import { type ListenAddress, type Listener, listen } from "./listen.ts";
import type { Log } from "./logging/log.ts";
import { openMemory } from "./memory.ts";
import { openObserving, type Siblings } from "./observing.ts";
import { serveRequest } from "./pipeline.ts";
import { resolve } from "./stages/resolve.ts";

/** A gateway that accepts connections. */
export interface Gateway {
  readonly url: string;
  /** Where the dashboard and the admin API are. */
  readonly adminUrl: string;
  /** A token that lets somebody sign in there once, within the hour. */
  mintAdminToken(): Promise<string>;
  /** Whether clients need a key by now. */
  asksForKeys(): Promise<boolean>;
  readonly settings: LiveSettings;
  /** The log of the configuration in force. */
  readonly log: Log;
  /** The windows that overflow errors taught and that hold now. */
  windows(): readonly LearnedWindow[];
  /**
   * Puts another file, environment and flags in force and logs what changed; requests under way finish with the old ones. Bad ones throw and
   * change nothing. What overflow errors taught is read from the store again, where it may have been forgotten.
   */
  reload(layers: SettingLayers): void;
  /** Lets nobody else in, lets what is under way finish for `server.drainSeconds`, and resolves when all is closed. */
  close(): Promise<void>;
}

/** What the gateway takes from outside. */
export interface GatewayOptions {
  /** Where the built-in simulator listens, if it runs. */
  readonly simulatorUrl?: string;
  /** Where the log goes, line by line. @default nowhere */
  readonly writeLog?: (line: string) => void;
  /** Whether other gateways of this user listen at the same ports. @default false */
  readonly sharesPorts?: boolean;
  /** The other workers of the same program. @default there are none */
  readonly siblings?: Siblings;
  /** Folder with the dashboard's files. @default a page says that there are none */
  readonly dashboardFolder?: string;
}

/** Opens the gateway; resolves once it accepts connections. What was stored lies between the other layers of its settings. */
export async function openGateway(layers: SettingLayers, options: GatewayOptions = {}): Promise<Gateway> {
  const environment = layers.environment ?? {};
  const context = { ...options, environment, nowMs: Date.now, nowSeconds: () => Date.now() / 1_000 };
  const { close, settings, ...answering } = await openKept(layers, context);
  const { snapshots, gate, memory, admin, access } = answering;
  if (snapshots.current().isContextDisabled) snapshots.current().log.warned(CONTEXT_DISABLED);
  const serverConfig = () => snapshots.current().config.server;
  const listeners = await listenAt(serverConfig(), { ...answering, isShared: options.sharesPorts }).catch(
    async (error: unknown) => {
      await close();
      throw error;
    },
  );
  return {
    url: listeners.clients.url,
    adminUrl: listeners.operator.url,
    mintAdminToken: () => admin.mintToken(),
    asksForKeys: () => asksForKeys(serverConfig(), access.ring),
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
      // Requests under way may finish, but are not waited for for ever.
      await inTime(serverConfig().drainSeconds * 1_000, gate.close());
      await Promise.all([...new Set(Object.values(listeners))].map((listener) => listener.close()));
      await close();
    },
  };
}

/** Opens the store that the settings name, and what is made of it; where anything cannot be opened, nothing stays open. */
async function openKept(layers: SettingLayers, context: SnapshotContext & GatewayOptions) {
  const place = storeLocation(layerSettings(layers).config);
  const closers: (() => Promise<void> | void)[] = [];
  let live: LiveSnapshots | undefined;
  const close = async () => {
    for (const closeOne of closers.toReversed()) await closeOne();
  };
  try {
    const onReplaced = (notice: string) => {
      live?.snapshots.current().log.warned(notice);
      live?.startOver();
    };
    const store = await openStore({ ...place, nowMs: Date.now, onReplaced });
    closers.push(() => store.close());
    live = await openLiveSnapshots(layers, store, context);
    const { settings, snapshots, stop } = live;
    closers.push(() => snapshots.close(), stop);
    const server = () => snapshots.current().config.server;
    const gate = makeGate(
      () => server().maxRequests,
      () => bodyBytes(server()),
    );
    const changes = openChangeFeed(store.changes);
    closers.push(() => changes.close());
    const observing = openObserving({ store, snapshots, gate, changes, nowMs: Date.now, siblings: context.siblings });
    closers.push(() => observing.close());
    const warn = (what: string) => snapshots.current().log.warned(what);
    const memory = await openMemory(store, {
      warn,
      nowMs: Date.now,
      waitMs: () => snapshots.current().config.store.waitSeconds * 1_000,
    });
    closers.push(() => memory.close());
    const scanner = openScanner();
    closers.push(() => scanner.close());
    const access = await openAccess({ store, nowMs: Date.now, warn });
    closers.push(() => access.close());
    await checkHost(snapshots.current().config.server, access.ring);
    const { fitting } = memory;
    const host = { store, settings, changes, snapshots, fitting, gate, nowMs: Date.now, resolve };
    const admin = openAdmin(host, context.dashboardFolder);
    closers.push(() => admin.close());
    const told = { ...observing, observer: notifyAll([observing.observer, access.limiter]) };
    return { memory, scanner, settings, snapshots, gate, observing: told, access, admin, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const MIB = 1024 * 1024;
/** Bodies are held as bytes, and for a while as parsed values: more of them than this would fill the memory. */
const BODIES_SHARE = 1 / 4;

function bodyBytes({ bodiesInFlightMiB }: Config["server"]): number {
  if (bodiesInFlightMiB !== undefined) return bodiesInFlightMiB * MIB;
  return memoryBytes() * BODIES_SHARE;
}

/** Node reads a file for this. */
const memoryBytes = once(() => Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY));

const CONTEXT_DISABLED =
  "DISABLE_CONTEXT_COMPRESSION is set: requests that do not fit a model's window are not made to fit";

interface Listeners {
  readonly clients: Listener;
  /** The same, unless the operator has a port of their own. */
  readonly operator: Listener;
}

interface ListenContext extends ServerContext {
  readonly isShared: boolean | undefined;
}

async function listenAt(server: Config["server"], context: ListenContext): Promise<Listeners> {
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
