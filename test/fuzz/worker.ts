// A thread of a fuzz campaign: runs the batches it receives.
import { parentPort, workerData } from "node:worker_threads";
import { type Batch, runCases } from "./run-cases.ts";
import type { FuzzTarget, OpenTarget } from "./target.ts";

/** Options of a thread. */
export interface WorkerSetup {
  /** The module that exports the targets as `FUZZ_TARGETS`. */
  readonly module: string;
  /** The running case and its start time in milliseconds since 1970, or 0. Read by the watchdog. */
  readonly current: SharedArrayBuffer;
}

/** A batch of one target. */
export interface Job extends Batch {
  readonly name: string;
  /** Signatures of known failures. */
  readonly known: readonly string[];
}

const { module, current }: WorkerSetup = workerData;
const { FUZZ_TARGETS }: { FUZZ_TARGETS: readonly FuzzTarget[] } = await import(module);
const opened = new Map<string, OpenTarget>();
const place = new Float64Array(current);

parentPort?.on("message", async ({ name, known, ...batch }: Job) => {
  const target = opened.get(name) ?? (await FUZZ_TARGETS.find((each) => each.name === name)?.open(batch.seed));
  if (target === undefined) throw new Error(`unknown fuzz target "${name}"`);
  opened.set(name, target);
  const note = (index: number) => {
    place[0] = index;
    place[1] = performance.timeOrigin + performance.now();
  };
  const report = await runCases(target, batch, { note, known: new Set(known) });
  place[1] = 0;
  parentPort?.postMessage(report);
});
