import type { Condensed } from "./work.ts";

/** A condensation under way. It belongs to the conversation: a client that leaves does not end it. */
export interface Job {
  readonly prefix: string;
  readonly messages: number;
  /** Resolves once it waits for a model, or is done. */
  readonly asked: Promise<void>;
  readonly done: Promise<Condensed>;
}

/** Condensations under way: the same one is not made twice. */
export interface Jobs {
  /** One that is made for a beginning of this conversation. */
  find(scope: string, prefixes: readonly string[]): Job | undefined;
  start(scope: string, job: Job): Job;
  /** Resolves when none is under way. */
  settled(): Promise<void>;
}

/** Opens an empty list. */
export function makeJobs(): Jobs {
  const running = new Map<string, Set<Job>>();
  return {
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
