import { createServer, type Server } from "node:http";
import { LonghaulError } from "@longhaul/conversation";
import { type Config, layerSettings, type SettingLayers } from "@longhaul/settings";
import { type LearnedWindow, openStore } from "@longhaul/store";
import { answerRequest } from "./answer.ts";
import { makeGate } from "./http/gate.ts";
import type { LiveSettings } from "./live-settings.ts";
import { openLiveSnapshots } from "./live-snapshots.ts";
import type { Log } from "./logging/log.ts";
import { openMemory } from "./memory.ts";
import { openObserving } from "./observing.ts";
import type { SnapshotContext } from "./snapshot.ts";

/** A gateway that accepts connections. */
export interface Gateway {
  readonly url: string;
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
}

/** Load balancers keep idle connections for a minute; the side that closes last never meets a request on a closed one. */
const KEEP_ALIVE_MS = 75_000;
const HEADERS_TIMEOUT_MS = 80_000;
const MAX_HEADER_BYTES = 32 * 1024;

/** Opens the gateway; resolves once it accepts connections. What was stored lies between the other layers of its settings. */
export async function openGateway(layers: SettingLayers, options: GatewayOptions = {}): Promise<Gateway> {
  const environment = layers.environment ?? {};
  const context = { ...options, environment, nowMs: Date.now, nowSeconds: () => Date.now() / 1_000 };
  const { close, settings, ...answering } = await openKept(layers, context);
  const { snapshots, gate, memory } = answering;
  if (snapshots.current().isContextDisabled) snapshots.current().log.warned(CONTEXT_DISABLED);
  const serverConfig = () => snapshots.current().config.server;
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: HEADERS_TIMEOUT_MS },
    (request, response) => {
      void answerRequest(request, response, answering);
    },
  );
  await listening(server, serverConfig()).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    url: urlOf(server),
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
      await drained(gate.close(), serverConfig().drainSeconds);
      await closing(server);
      await close();
    },
  };
}

/** Opens the store that the settings name, and what is made of it; where anything cannot be opened, nothing stays open. */
async function openKept(layers: SettingLayers, context: SnapshotContext) {
  const { path = ":memory:" } = layerSettings(layers).config.store;
  const closers: (() => Promise<void> | void)[] = [];
  const close = async () => {
    for (const closeOne of closers.toReversed()) await closeOne();
  };
  try {
    const store = await openStore({ path, nowMs: Date.now });
    closers.push(() => store.close());
    const { settings, snapshots, stop } = await openLiveSnapshots(layers, store, context);
    closers.push(() => snapshots.close(), stop);
    const gate = makeGate(() => snapshots.current().config.server.maxRequests);
    const observing = openObserving({ store, snapshots, gate, nowMs: Date.now });
    closers.push(() => observing.close());
    const memory = await openMemory(store, Date.now, (what) => snapshots.current().log.warned(what));
    closers.push(() => memory.close());
    return { memory, settings, snapshots, gate, observing, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const CONTEXT_DISABLED =
  "DISABLE_CONTEXT_COMPRESSION is set: requests that do not fit a model's window are not made to fit";

/** Waits for requests under way, but not for ever. */
async function drained(empty: Promise<void>, seconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, seconds * 1_000);
  });
  await Promise.race([empty, late]);
  clearTimeout(timer);
}

function listening(server: Server, { host, port }: Config["server"]): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const advice = ADVICE[cause.code ?? ""] ?? cause.message;
      reject(new LonghaulError("settings.invalid", `cannot listen on ${host}:${port}: ${advice}`, { cause }));
    });
    server.listen(port, host, () => resolve());
  });
}

const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program uses that port; set PORT to a free one",
  EACCES: "this user may not use that port; set PORT to one above 1023",
  EADDRNOTAVAIL: "this machine has no such address; set --host to one that it has",
};

function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === "string") {
    throw new LonghaulError("internal.bug", "the server listens on no network address");
  }
  const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

function closing(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
