import { createServer, type Server } from "node:http";
import { LonghaulError } from "@longhaul/conversation";
import type { Config } from "@longhaul/settings";
import { type LearnedWindow, openStore } from "@longhaul/store";
import { answerRequest } from "./answer.ts";
import { configChanges } from "./config-changes.ts";
import { makeGate } from "./http/gate.ts";
import type { Log } from "./logging/log.ts";
import { openMemory } from "./memory.ts";
import { openSnapshot } from "./snapshot.ts";
import { makeSnapshots, type Snapshots } from "./snapshots.ts";

/** A gateway that accepts connections. */
export interface Gateway {
  readonly url: string;
  /** The log of the configuration in force. */
  readonly log: Log;
  /** The windows that overflow errors taught and that hold now. */
  windows(): readonly LearnedWindow[];
  /**
   * Swaps the configuration and logs what changed; requests under way finish with the old one. A bad one throws and changes nothing. What
   * overflow errors taught is read from the store again, where it may have been forgotten.
   */
  reload(config: Config): void;
  /** Lets nobody else in, lets what is under way finish for `server.drainSeconds`, and resolves when all is closed. */
  close(): Promise<void>;
}

/** What the gateway takes from outside. */
export interface GatewayOptions {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Where the built-in simulator listens, if it runs. */
  readonly simulatorUrl?: string;
  /** Where the log goes, line by line. @default nowhere */
  readonly writeLog?: (line: string) => void;
}

/** Load balancers keep idle connections for a minute; the side that closes last never meets a request on a closed one. */
const KEEP_ALIVE_MS = 75_000;
const HEADERS_TIMEOUT_MS = 80_000;
const MAX_HEADER_BYTES = 32 * 1024;

/** Opens the gateway; resolves once it accepts connections. */
export async function openGateway(config: Config, options: GatewayOptions = {}): Promise<Gateway> {
  const context = { environment: {}, ...options, nowMs: Date.now, nowSeconds: () => Date.now() / 1_000 };
  const snapshots = makeSnapshots(openSnapshot(config, context));
  if (snapshots.current().isContextDisabled) snapshots.current().log.warned(CONTEXT_DISABLED);
  const serverConfig = () => snapshots.current().config.server;
  const gate = makeGate(() => serverConfig().maxRequests);
  const { memory, close } = await openKept(config, snapshots);
  const answering = { snapshots, gate, memory };
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: HEADERS_TIMEOUT_MS },
    (request, response) => {
      void answerRequest(request, response, answering);
    },
  );
  await listening(server, config.server).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    url: urlOf(server),
    get log() {
      return snapshots.current().log;
    },
    windows: () => memory.fitting.learned.windows(),
    reload: (next) => {
      const before = snapshots.current().config;
      snapshots.swap(openSnapshot(next, context));
      void memory.fitting.learned.reloadWindows();
      snapshots.current().log.reloaded(configChanges(before, next));
    },
    close: async () => {
      await drained(gate.close(), serverConfig().drainSeconds);
      await closing(server);
      await close();
    },
  };
}

/** Opens the memory over the store that the configuration names; where that cannot be opened, nothing stays open. */
async function openKept({ store: { path = ":memory:" } }: Config, snapshots: Snapshots) {
  try {
    const store = await openStore({ path, nowMs: Date.now });
    const memory = await openMemory(store, Date.now, (what) => snapshots.current().log.warned(what));
    const close = async () => {
      await memory.close();
      await snapshots.close();
      await store.close();
    };
    return { memory, close };
  } catch (error) {
    await snapshots.close();
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
