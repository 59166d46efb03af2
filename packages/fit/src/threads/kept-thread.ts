import { Thread, type WorkerProtocol } from "./thread.ts";

/** A thread that is started when it is first needed, and again after it has stopped. */
export interface KeptThread<T extends WorkerProtocol> {
  /** The thread that runs, started where none does. */
  running(): Thread<T>;
  /** How many jobs are under way. */
  size(): number;
  /** Ends it, where it runs. */
  close(): Promise<void>;
}

/** Keeps a thread for what is done by a program. */
export function keepThread<T extends WorkerProtocol>(program: URL, purpose: string): KeptThread<T> {
  let kept: Thread<T> | undefined;
  const start = (): Thread<T> => {
    const started: Thread<T> = new Thread({
      program,
      purpose,
      onStop: () => {
        if (kept === started) kept = undefined;
      },
    });
    return started;
  };
  return {
    running: () => {
      kept ??= start();
      return kept;
    },
    size: () => kept?.size ?? 0,
    close: async () => {
      const left = kept;
      kept = undefined;
      await left?.close();
    },
  };
}
