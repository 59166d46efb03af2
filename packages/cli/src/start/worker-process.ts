import type { Worker } from "node:cluster";
import cluster from "node:cluster";
import { randomUUID } from "node:crypto";
import type { Siblings } from "@longhaul/gateway";
import type { Terminal } from "../terminal/terminal.ts";
import type { WorkerOrder, WorkerProcess } from "./workers.ts";

/** Where a worker finds the simulator of the process that started it. */
const SIMULATOR = "LONGHAUL_WORKER_SIMULATOR";
/** The port that workers share, where any would do. */
const PORT = "LONGHAUL_WORKER_PORT";
const READY = "ready";

/**
 * Whether the system itself shares connections among processes. Where it cannot, the primary hands them out by turns, and one that it hands
 * to a worker that was just killed is answered by nobody.
 */
export const SHARES_PORTS = process.platform === "linux";

/** What a worker is told when it is started. */
export interface WorkerEnvironment {
  readonly simulatorUrl?: string;
  readonly port?: number;
}

/** Starts another process like this one, as a worker. */
export function forkWorker({ simulatorUrl, port }: WorkerEnvironment): WorkerProcess {
  cluster.schedulingPolicy = cluster.SCHED_RR;
  const worker = cluster.fork({
    ...(simulatorUrl !== undefined && { [SIMULATOR]: simulatorUrl }),
    ...(port !== undefined && { [PORT]: String(port) }),
  });
  const others = () => Object.values(cluster.workers ?? {}).flatMap((other) => (other === worker ? [] : (other ?? [])));
  answerFigures(peerOf(worker), async () =>
    (await Promise.all(others().map((other) => askFigures(peerOf(other), WORKER_LIMIT_MS)))).flat(),
  );
  return {
    ready: new Promise((resolve) => {
      worker.on("message", (message: unknown) => message === READY && resolve());
    }),
    ended: new Promise((resolve) => {
      worker.once("exit", (code, signal) => resolve(signal ?? code));
    }),
    send: peerOf(worker).send,
  };
}

/** How long one worker is waited for, and how long all of them are. */
const WORKER_LIMIT_MS = 1_000;
const ALL_LIMIT_MS = 2_000;

function peerOf(worker: Worker): Peer {
  return {
    // One that ends at this moment cannot be told, and need not be.
    send: (message) => void (worker.isConnected() && worker.send(message, () => {})),
    onMessage: (listen) => {
      worker.on("message", listen);
      return () => void worker.off("message", listen);
    },
  };
}

/** The process that started this one as a worker, as this one sees it. */
export interface Primary {
  /** Which worker this one is, counted from 1 over all that were ever started. */
  readonly worker: number;
  readonly simulatorUrl: string | undefined;
  readonly port: number | undefined;
  reportReady(): void;
  /** The workers beside this one, by way of the primary. */
  readonly siblings: Siblings;
  /** Calls back whenever it gives this order, until the result is called. */
  on(order: WorkerOrder, obey: () => void): () => void;
}

/** The part of Node's `process` that a worker hears its primary with. */
export interface WorkerChannel {
  readonly env: Readonly<Record<string, string | undefined>>;
  on(event: "message", listen: (message: unknown) => void): unknown;
  off(event: "message", listen: (message: unknown) => void): unknown;
  readonly send?: ((message: string | object) => unknown) | undefined;
}

/** The process that started this one as a worker; nothing where this is no worker. */
export function findPrimary(channel: WorkerChannel = process, worker = cluster.worker?.id): Primary | undefined {
  if (worker === undefined) return undefined;
  const peer: Peer = {
    send: (message) => void channel.send?.(message),
    onMessage: (listen) => {
      channel.on("message", listen);
      return () => void channel.off("message", listen);
    },
  };
  return {
    worker,
    siblings: {
      name: `${worker}`,
      ask: () => askFigures(peer, ALL_LIMIT_MS),
      answer: (collect) => answerFigures(peer, async () => [collect()]),
    },
    simulatorUrl: channel.env[SIMULATOR],
    port: channel.env[PORT] === undefined ? undefined : Number(channel.env[PORT]),
    reportReady: () => peer.send(READY),
    on: (order, obey) => peer.onMessage((message) => message === order && obey()),
  };
}

/** The terminal of a worker: what its primary is asked for, it is asked for too. Its lines of the log say which worker they are of. */
export function workerTerminal(terminal: Terminal, primary: Primary): Terminal {
  const told = new Promise<void>((resolve) => {
    const ignore = primary.on("stop", () => {
      ignore();
      resolve();
    });
  });
  return {
    ...terminal,
    write: (text) => terminal.write(text.replace(/^\{/, `{"worker":${primary.worker},`)),
    stopped: () => Promise.race([told, terminal.stopped()]),
    onReload: (reload) => {
      const ends = [terminal.onReload(reload), primary.on("reload", reload)];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}

/** The other end of a channel between two processes. */
export interface Peer {
  send(message: string | object): void;
  /** The result ends it. */
  onMessage(listen: (message: unknown) => void): () => void;
}

/** What is said: figures are asked for, or told to whoever asked with this id. */
type FiguresMessage =
  | { readonly figures: "request"; readonly id: string }
  | { readonly figures: "reply"; readonly id: string; readonly texts: readonly string[] };

/** What a peer tells of figures; nothing where it does not answer in time. */
export function askFigures(peer: Peer, limitMs: number): Promise<readonly string[]> {
  const id = randomUUID();
  return new Promise((resolve) => {
    const finish = (texts: readonly string[]) => {
      clearTimeout(timer);
      ignore();
      resolve(texts);
    };
    const timer = setTimeout(finish, limitMs, []);
    const ignore = peer.onMessage((message) => {
      if (isFiguresMessage(message) && message.figures === "reply" && message.id === id) finish(message.texts);
    });
    peer.send({ figures: "request", id } satisfies FiguresMessage);
  });
}

/** Tells a peer figures whenever it asks, until the result is called. */
export function answerFigures(peer: Peer, collect: () => Promise<readonly string[]>): () => void {
  return peer.onMessage((message) => {
    if (!isFiguresMessage(message) || message.figures !== "request") return;
    const { id } = message;
    void collect().then((texts) => peer.send({ figures: "reply", id, texts } satisfies FiguresMessage));
  });
}

function isFiguresMessage(message: unknown): message is FiguresMessage {
  return typeof message === "object" && message !== null && "figures" in message;
}
