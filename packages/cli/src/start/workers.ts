import { invalid } from "../terminal/invalid.ts";
import type { Terminal } from "../terminal/terminal.ts";

export type WorkerOrder = "announce" | "stop" | "reload";

export interface WorkerProcess {
  /** Resolves once it accepts connections. */
  readonly ready: Promise<void>;
  /** Resolves when it has ended, with its exit code or the signal that ended it. */
  readonly ended: Promise<number | string>;
  send(order: WorkerOrder): void;
}

export interface WorkerPool {
  readonly count: number;
  readonly fork: () => WorkerProcess;
  /** Waits. Rejects when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly nowMs: () => number;
  /** Called once the first worker has the order to print the banner. */
  readonly onAnnounced?: () => void;
}

const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 10_000;
/** A worker that ran this long did not fail at its start. */
const STEADY_MS = 60_000;

/**
 * Keeps workers running until the program is stopped and all of them have ended. A worker that ends is restarted. The first one prints the
 * banner when it accepts connections, then the others are started. Throws if the first one cannot start.
 */
export async function runWorkers(pool: WorkerPool, terminal: Terminal): Promise<void> {
  const running = new Set<WorkerProcess>();
  const stop = new AbortController();
  const sendAll = (order: WorkerOrder) => {
    for (const worker of running) worker.send(order);
  };
  const begin = () => {
    const worker = pool.fork();
    running.add(worker);
    void worker.ended.then(() => running.delete(worker));
    // It may have missed the order if it was not listening yet.
    void worker.ready.then(() => stop.signal.aborted && worker.send("stop"));
    return worker;
  };
  const ignore = terminal.onReload(() => sendAll("reload"));
  void terminal.stopped().then(() => {
    stop.abort();
    sendAll("stop");
  });
  try {
    const first = begin();
    const end = await Promise.race([first.ready, first.ended]);
    if (end !== undefined && !stop.signal.aborted)
      throw invalid(`the first worker could not start (${describeEnd(end)}); no others were started`);
    first.send("announce");
    pool.onAnnounced?.();
    const others = Array.from({ length: stop.signal.aborted ? 0 : pool.count - 1 }, begin);
    await Promise.all(
      [first, ...others].map((worker) => supervise(worker, { begin, stop: stop.signal, pool, terminal })),
    );
  } finally {
    ignore();
  }
}

interface SuperviseOptions {
  readonly begin: () => WorkerProcess;
  readonly stop: AbortSignal;
  readonly pool: WorkerPool;
  readonly terminal: Terminal;
}

/** Restarts a worker each time it ends. Resolves when it has ended after a stop. */
async function supervise(first: WorkerProcess, { begin, stop, pool, terminal }: SuperviseOptions): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS;
  for (let worker = first; ; worker = begin()) {
    const sinceMs = pool.nowMs();
    const end = await worker.ended;
    if (stop.aborted) return;
    if (pool.nowMs() - sinceMs >= STEADY_MS) pauseMs = FIRST_PAUSE_MS;
    terminal.writeError(`longhaul: a worker ended (${describeEnd(end)}); restarting it in ${pauseMs / 1_000} s\n`);
    await pool.wait(pauseMs, stop).catch(() => {});
    if (stop.aborted) return;
    pauseMs = Math.min(pauseMs * 2, LAST_PAUSE_MS);
  }
}

function describeEnd(end: number | string): string {
  return typeof end === "number" ? `exit code ${end}` : end;
}
