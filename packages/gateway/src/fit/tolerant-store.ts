import type { Calibrations, Epochs, LearnedWindow, Leases, Store, Windows } from "@longhaul/store";
import { type Asking, makeStoreTrouble } from "./store-trouble.ts";

/** What fitting uses of a store. None of it ever rejects. */
export interface TolerantStore {
  readonly epochs: Pick<Epochs, "find" | "put" | "remove" | "prune">;
  readonly windows: Pick<Windows, "learn"> & {
    /** Nothing where they cannot be read. */
    list(): Promise<readonly LearnedWindow[] | undefined>;
  };
  readonly calibrations: Calibrations;
  /** Where they cannot be read or written, nobody else has one. */
  readonly leases: Leases;
}

/**
 * A store whose failures cost what it keeps, never a request: what cannot be read is not there, what cannot be written is lost. The
 * operator is told of each kind of failure, and when the store works again.
 */
export function tolerantStore(
  { epochs, windows, calibrations, leases }: Store,
  warn: (what: string) => void,
  nowMs: () => number = Date.now,
): TolerantStore {
  const trouble = makeStoreTrouble({ warn, nowMs });
  const trying = async <T>(asking: Asking, act: () => Promise<T>): Promise<T | undefined> => {
    try {
      const found = await act();
      trouble.worked(asking);
      return found;
    } catch (error) {
      trouble.failed(asking, error);
      return undefined;
    }
  };
  const reading = async <T>(read: () => Promise<readonly T[]>): Promise<readonly T[]> =>
    (await trying("reading", read)) ?? [];
  const writing = (write: () => Promise<void>): Promise<void> => trying("writing", write);
  return {
    epochs: {
      find: (scope, prefixes) => reading(() => epochs.find(scope, prefixes)),
      put: (epoch) => writing(() => epochs.put(epoch)),
      remove: (scope, prefix) => writing(() => epochs.remove(scope, prefix)),
      prune: async (unusedSinceMs, maxBytes) =>
        (await trying("writing", () => epochs.prune(unusedSinceMs, maxBytes))) ?? 0,
    },
    windows: {
      learn: (window) => writing(() => windows.learn(window)),
      list: () => trying("reading", () => windows.list()),
    },
    calibrations: {
      load: () => reading(() => calibrations.load()),
      save: (calibration) => writing(() => calibrations.save(calibration)),
    },
    leases: {
      take: async (lease) => (await trying("writing", () => leases.take(lease))) ?? true,
      held: async (names, nowMs) => (await trying("reading", () => leases.held(names, nowMs))) ?? new Set(),
      release: (name, holder) => writing(() => leases.release(name, holder)),
      prune: async (nowMs) => (await trying("writing", () => leases.prune(nowMs))) ?? 0,
    },
  };
}
