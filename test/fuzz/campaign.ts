import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type BatchReport, type Failure, inputAt, seedOf } from "./run-cases.ts";
import type { FuzzTarget } from "./target.ts";
import type { Job, WorkerSetup } from "./worker.ts";

/** The targets to run and the limits. */
export interface CampaignOptions {
  /** The module that exports the targets as `FUZZ_TARGETS`. Each thread loads it. */
  readonly module: string;
  readonly targets: readonly FuzzTarget[];
  readonly seed: number;
  /** Total number of cases. */
  readonly runs: number;
  /** Number of the first case of each target. */
  readonly from: number;
  readonly milliseconds: number;
  readonly threads: number;
  /** A case that runs longer counts as a hang. */
  readonly hangMs: number;
  /** Ends the campaign early. The reports cover the cases that ran. @default none */
  readonly signal?: AbortSignal;
  /** Receives the reports so far after every batch. @default none */
  readonly onBatch?: (reports: readonly TargetReport[]) => void;
}

/** The result of one target. */
export interface TargetReport {
  readonly name: string;
  executions: number;
  /** Total time that threads spent on it. */
  busyMs: number;
  slowestMs: number;
  slowestIndex: number;
  readonly failures: Failure[];
}

/** A running target: the next case to assign and the number of cases. */
interface Course {
  readonly target: FuzzTarget;
  readonly quota: number;
  given: number;
  readonly report: TargetReport;
}

const BATCH_CASES = 2_000;

/** Runs cases of all targets in threads up to the limits. A thread that hangs or dies is reported and replaced. */
export async function runCampaign(options: CampaignOptions): Promise<readonly TargetReport[]> {
  const { targets, runs, threads, signal, onBatch } = options;
  const end = performance.now() + options.milliseconds;
  const weights = targets.reduce((sum, { weight }) => sum + weight, 0);
  const courses = targets.map((target): Course => {
    const report = { name: target.name, executions: 0, busyMs: 0, slowestMs: 0, slowestIndex: 0, failures: [] };
    return { target, quota: Math.ceil((runs * target.weight) / weights), given: 0, report };
  });
  const work = async () => {
    const thread = openThread(options);
    for (let course = nextCourse(courses); course !== undefined; course = nextCourse(courses)) {
      if (performance.now() > end || signal?.aborted === true) break;
      await runBatch(course, thread, options);
      onBatch?.(courses.map(({ report }) => report));
    }
    await thread.close();
  };
  await Promise.all(Array.from({ length: threads }, work));
  return courses.map(({ report }) => report);
}

/** Returns the target that is furthest behind, so that all have had their share when the time is up. */
function nextCourse(courses: readonly Course[]): Course | undefined {
  const open = courses.filter(({ given, quota }) => given < quota);
  const [first] = open.toSorted((left, right) => left.given / left.quota - right.given / right.quota);
  return first;
}

async function runBatch(course: Course, thread: Thread, { seed, from }: CampaignOptions): Promise<void> {
  const { target, report } = course;
  const count = Math.min(BATCH_CASES, course.quota - course.given);
  const known = report.failures.map(({ signature }) => signature);
  const job: Job = { name: target.name, seed: seedOf(target, seed), from: from + course.given, count, known };
  course.given += count;
  const start = performance.now();
  const batch = await thread.run(job, target);
  report.busyMs += performance.now() - start;
  report.executions += batch.executions;
  if (batch.slowestMs > report.slowestMs) {
    report.slowestMs = batch.slowestMs;
    report.slowestIndex = batch.slowestIndex;
  }
  const signatures = new Set(report.failures.map(({ signature }) => signature));
  report.failures.push(...batch.failures.filter(({ signature }) => !signatures.has(signature)));
}

interface Thread {
  run(job: Job, target: FuzzTarget): Promise<BatchReport>;
  close(): Promise<unknown>;
}

const WATCH_MS = 250;
const HANGS = "hangs";

/** Describes whether a case computes for ever, or waits, as a thread does that the machine does not run. */
async function cpuOf(worker: Worker, before: NodeJS.CpuUsage | undefined): Promise<string> {
  const { user, system } = await worker.cpuUsage(before);
  return `${Math.round((user + system) / 1_000)} ms of them on a processor`;
}

function openThread({ module, hangMs }: CampaignOptions): Thread {
  const current = new SharedArrayBuffer(16);
  const place = new Float64Array(current);
  const setup: WorkerSetup = { module, current };
  const start = () => new Worker(new URL("./worker.ts", import.meta.url), { workerData: setup });
  let worker = start();
  /** The report, or the reason why it is missing. */
  const outcome = async (job: Job): Promise<BatchReport | string> => {
    const ended = new AbortController();
    const isHung = () => place[1] !== 0 && performance.timeOrigin + performance.now() - (place[1] ?? 0) > hangMs;
    const hung = new Promise<string>((resolve) => {
      const watch = setInterval(() => isHung() && resolve(HANGS), WATCH_MS);
      ended.signal.addEventListener("abort", () => clearInterval(watch));
    });
    const died = once(worker, "exit", ended).then(([code]) => `ends its thread with exit code ${code}`, String);
    // A thread that still starts has used nothing that matters.
    const before = await worker.cpuUsage().catch(() => undefined);
    worker.postMessage(job);
    const answered = once(worker, "message", ended).then(([report]: BatchReport[]) => report ?? "", String);
    const result = await Promise.race([answered, died, hung]);
    ended.abort();
    return result === HANGS ? `runs for more than ${hangMs} ms, ${await cpuOf(worker, before)}` : result;
  };
  return {
    close: () => worker.terminate(),
    run: async (job, target) => {
      const result = await outcome(job);
      if (typeof result !== "string") return result;
      await worker.terminate();
      const index = place[1] === 0 ? job.from : (place[0] ?? job.from);
      place[1] = 0;
      worker = start();
      const input = inputAt(await target.open(job.seed), job.seed, index);
      const [signature = ""] = result.split(",");
      const failure = { index, signature, error: `the case ${result}`, input };
      return { executions: index - job.from + 1, slowestMs: hangMs, slowestIndex: index, failures: [failure] };
    },
  };
}
