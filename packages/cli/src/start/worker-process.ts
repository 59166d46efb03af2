import cluster, { type Worker } from "node:cluster";
import { randomUUID } from "node:crypto";
import type { Siblings } from "@longhaul/gateway";
import { changedTerminal, type Terminal } from "../terminal/terminal.ts";
import type { WorkerOrder, WorkerProcess } from "./workers.ts";

const SIMULATOR = "LONGHAUL_WORKER_SIMULATOR";
/** Environment variable with the port that workers share if the configuration asks for any free one. */
const PORT = "LONGHAUL_WORKER_PORT";
const READY = "ready";

/**
 * Whether the operating system distributes connections among processes. If not, the primary distributes them round-robin, and a connection
 * that it passes to a worker that was just killed gets no answer.
 */
export const SHARES_PORTS = process.platform === "linux";

export interface WorkerEnvironment {
  readonly simulatorUrl?: string;
  readonly port?: number;
}

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

/** Time limits for the reply of one worker, and of all of them. */
const WORKER_LIMIT_MS = 1_000;
const ALL_LIMIT_MS = 2_000;

function peerOf(worker: Worker): Peer {
  return {
    // A worker that is just ending cannot receive the message, and does not need it.
    send: (message) => void (worker.isConnected() && worker.send(message, () => {})),
    onMessage: (listen) => {
      worker.on("message", listen);
      return () => void worker.off("message", listen);
    },
  };
}

export interface WorkerChannel {
  readonly env: Readonly<Record<string, string | undefined>>;
  on(event: "message", listen: (message: unknown) => void): unknown;
  off(event: "message", listen: (message: unknown) => void): unknown;
  readonly send?: ((message: string | object) => unknown) | undefined;
}

export function findPrimary(channel: WorkerChannel = process, worker = cluster.worker?.id) {
  if (worker === undefined) return undefined;
  const peer: Peer = {
    send: (message) => void channel.send?.(message),
    onMessage: (listen) => {
      channel.on("message", listen);
      return () => void channel.off("message", listen);
    },
  };
  /** The other workers, reached through the primary. */
  const siblings: Siblings = {
    name: `${worker}`,
    ask: () => askFigures(peer, ALL_LIMIT_MS),
    answer: (collect) => answerFigures(peer, async () => [collect()]),
  };
  return {
    worker,
    siblings,
    simulatorUrl: channel.env[SIMULATOR],
    port: channel.env[PORT] === undefined ? undefined : Number(channel.env[PORT]),
    reportReady: () => peer.send(READY),
    /** Calls back on every order of this kind. Returns a function that stops it. */
    on: (order: WorkerOrder, callback: () => void) => peer.onMessage((message) => message === order && callback()),
  };
}

/** Returns the terminal of a worker: it also stops and reloads on the primary's orders, and adds the worker's number to log lines. */
export function workerTerminal(terminal: Terminal, primary: NonNullable<ReturnType<typeof findPrimary>>): Terminal {
  const ordered = new Promise<void>((resolve) => {
    const ignore = primary.on("stop", () => {
      ignore();
      resolve();
    });
  });
  return changedTerminal(terminal, {
    write: (text) => terminal.write(text.replace(/^\{/, `{"worker":${primary.worker},`)),
    stopped: () => Promise.race([ordered, terminal.stopped()]),
    onReload: (reload) => {
      const ends = [terminal.onReload(reload), primary.on("reload", reload)];
      return () => {
        for (const end of ends) end();
      };
    },
  });
}

export interface Peer {
  send(message: string | object): void;
  /** Returns a function that removes the listener. */
  onMessage(listen: (message: unknown) => void): () => void;
}

type FiguresMessage =
  | { readonly figures: "request"; readonly id: string }
  | { readonly figures: "reply"; readonly id: string; readonly texts: readonly string[] };

/** Asks a peer for figures. Resolves to none if it does not reply in time. */
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

/** Replies to every request of a peer for figures. Returns a function that stops it. */
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
