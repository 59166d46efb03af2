import { LonghaulError } from "@longhaul/conversation";
import type { Terminal } from "../terminal/terminal.ts";

/** What a worker is told to do. */
export type WorkerOrder = "announce" | "stop" | "reload";

/** A process that answers clients beside others like it. */
export interface WorkerProcess {
  /** Resolves once it accepts connections. */
  readonly ready: Promise<void>;
  /** Resolves when it is gone, with its exit code or the signal that ended it. */
  readonly ended: Promise<number | string>;
  send(order: WorkerOrder): void;
}

/** What keeping workers takes from outside. */
export interface WorkerPool {
  readonly count: number;
  readonly fork: () => WorkerProcess;
  /** Waits; ends early, with an error, when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly nowMs: () => number;
}

/** The pause before a worker that ended is replaced; it doubles each time one ends soon after it was started. */
const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 10_000;
/** A worker that lived for so long did not end because of how it was started. */
const STEADY_MS = 60_000;

/**
 * Keeps so many workers running until the program is stopped, and until all of them are gone then. One that ends is replaced. The first one
 * greets the user once it can be reached, and the others are started then; where it cannot, all fails.
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
    // It may not have listened yet when all were told.
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
    if (end !== undefined && !stop.signal.aborted) throw cannotStart(end);
    first.send("announce");
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

/** Replaces a worker, and those after it, whenever one ends; resolves when the last one has ended on purpose. */
async function supervise(first: WorkerProcess, { begin, stop, pool, terminal }: SuperviseOptions): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS;
  for (let worker = first; ; worker = begin()) {
    const sinceMs = pool.nowMs();
    const end = await worker.ended;
    if (stop.aborted) return;
    if (pool.nowMs() - sinceMs >= STEADY_MS) pauseMs = FIRST_PAUSE_MS;
    terminal.writeError(`longhaul: a worker ended (${end}); another one is started in ${pauseMs / 1_000} s\n`);
    await pool.wait(pauseMs, stop).catch(() => {});
    if (stop.aborted) return;
    pauseMs = Math.min(pauseMs * 2, LAST_PAUSE_MS);
  }
}

/** It has said why itself. */
function cannotStart(end: number | string): LonghaulError {
  return new LonghaulError("settings.invalid", `no worker was started, because the first one could not be (${end})`);
}
