import type { LastRun } from "@longhaul/condense";
import { LruMap } from "@longhaul/conversation";
import type { Condensed } from "../workers/work.ts";

/** A condensation under way. It belongs to the conversation: a client that leaves does not end it. */
export interface Job {
  readonly prefix: string;
  readonly messages: number;
  /** Resolves once it waits for a model, or is done. */
  readonly asked: Promise<void>;
  /** What came of it; nothing where another gateway has done it, or is at it for too long. */
  readonly done: Promise<Condensed | undefined>;
}

/** Condensations under way: the same one is not made twice. */
export interface Jobs {
  /** One that is made for a beginning of this conversation. */
  find(scope: string, prefixes: readonly string[]): Job | undefined;
  start(scope: string, job: Job): Job;
  /** Remembers that a condensation came to nothing, so that it is not tried again on every turn. */
  miss(scope: string, prefix: string, run: Miss): void;
  /** Remembers that one came to something: what came to nothing before is no reason any more not to try again. */
  succeed(scope: string, prefixes: readonly string[]): void;
  /** The latest one that came to nothing for a beginning of this conversation, where none came to something since. */
  lastMiss(scope: string, prefixes: readonly string[]): LastRun | undefined;
  /** What all of them cost that came to nothing for beginnings of this conversation. */
  lostUsd(scope: string, prefixes: readonly string[]): number;
  /** Resolves when none is under way. */
  settled(): Promise<void>;
}

/** A condensation that came to nothing. */
interface Miss extends LastRun {
  /** What its summaries cost. */
  readonly costUsd?: number;
  /** Whether a later one came to something. */
  readonly isOver?: boolean;
}

const MAX_MISSES = 1_000;

/** Opens an empty list. */
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
