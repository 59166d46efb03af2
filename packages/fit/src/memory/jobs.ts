import type { LastRun } from "@longhaul/condense/advanced";
import { LruMap } from "@longhaul/conversation/advanced";
import type { Condensed } from "../workers/work.ts";

/** A running condensation. It belongs to the conversation: it continues after its client has left. */
export interface Job {
  readonly prefix: string;
  readonly messages: number;
  /** Resolves when it waits for a model, or is done. */
  readonly asked: Promise<void>;
  /** The result; undefined if another gateway has made it, or takes too long. */
  readonly done: Promise<Condensed | undefined>;
}

/** Running condensations, so that none is made twice. */
export interface Jobs {
  /** Returns a job for a prefix of this conversation. */
  find(scope: string, prefixes: readonly string[]): Job | undefined;
  start(scope: string, job: Job): Job;
  /** Remembers that a condensation had no result, so that it is not repeated on every turn. */
  miss(scope: string, prefix: string, run: Miss): void;
  /** Remembers a success: earlier failures no longer block a retry. */
  succeed(scope: string, prefixes: readonly string[]): void;
  /** Returns the latest condensation without a result for a prefix of this conversation, unless one succeeded since. */
  lastMiss(scope: string, prefixes: readonly string[]): LastRun | undefined;
  /** Returns the cost of all condensations without a result for prefixes of this conversation. */
  lostUsd(scope: string, prefixes: readonly string[]): number;
  /** Resolves when none is running. */
  settled(): Promise<void>;
}

/** A condensation without a result. */
interface Miss extends LastRun {
  /** The cost of its summaries. */
  readonly costUsd?: number;
  /** Whether a later one succeeded. */
  readonly isOver?: boolean;
}

const MAX_MISSES = 1_000;

export function makeJobs(): Jobs {
  const running = new Map<string, Set<Job>>();
  const misses = new LruMap<Miss>(MAX_MISSES);
  return {
    miss: (scope, prefix, run) => {
      const key = `${scope}/${prefix}`;
      const costUsd = (misses.get(key)?.costUsd ?? 0) + (run.costUsd ?? 0);
      misses.set(key, costUsd === 0 ? run : { ...run, costUsd });
    },
    lastMiss: (scope, prefixes) => {
      for (let last = prefixes.length - 1; last >= 0 && misses.size > 0; last--) {
        const found = misses.get(`${scope}/${prefixes[last]}`);
        if (found !== undefined && found.isOver !== true) return found;
      }
      return undefined;
    },
    succeed: (scope, prefixes) => {
      for (let last = prefixes.length - 1; last >= 0 && misses.size > 0; last--) {
        const key = `${scope}/${prefixes[last]}`;
        const found = misses.get(key);
        if (found !== undefined) misses.set(key, { ...found, isOver: true });
      }
    },
    lostUsd: (scope, prefixes) =>
      misses.size === 0
        ? 0
        : prefixes.reduce((sum, prefix) => sum + (misses.get(`${scope}/${prefix}`)?.costUsd ?? 0), 0),
    find: (scope, prefixes) => {
      for (const job of running.get(scope) ?? []) if (prefixes[job.messages - 1] === job.prefix) return job;
      return undefined;
    },
    start: (scope, job) => {
      const jobs = running.get(scope) ?? new Set();
      running.set(scope, jobs.add(job));
      const end = () => {
        jobs.delete(job);
        if (jobs.size === 0) running.delete(scope);
      };
      job.done.then(end, end);
      return job;
    },
    settled: async () => {
      await Promise.allSettled([...running.values()].flatMap((jobs) => [...jobs].map(({ done }) => done)));
    },
  };
}
