import { LonghaulError } from "@longhaul/conversation";
import type { Calibrations, Epochs, LearnedWindow, Leases, Store, Windows } from "@longhaul/store";

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
 * operator is told of each kind of failure once.
 */
export function tolerantStore(
  { epochs, windows, calibrations, leases }: Store,
  warn: (what: string) => void,
): TolerantStore {
  const told = new Set<string>();
  const tell = (error: unknown) => {
    const { code, message } = error instanceof LonghaulError ? error : { code: "internal.bug", message: String(error) };
    if (told.has(code)) return;
    told.add(code);
    warn(`what outlives a restart cannot be read or written (${code}): ${message}`);
  };
  const trying = async <T>(read: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      tell(error);
      return undefined;
    }
  };
  const reading = async <T>(read: () => Promise<readonly T[]>): Promise<readonly T[]> => (await trying(read)) ?? [];
  const writing = async (write: () => Promise<void>): Promise<void> => write().catch(tell);
  return {
    epochs: {
      find: (scope, prefixes) => reading(() => epochs.find(scope, prefixes)),
      put: (epoch) => writing(() => epochs.put(epoch)),
      remove: (scope, prefix) => writing(() => epochs.remove(scope, prefix)),
      prune: async (unusedSinceMs, maxBytes) => (await trying(() => epochs.prune(unusedSinceMs, maxBytes))) ?? 0,
    },
    windows: { learn: (window) => writing(() => windows.learn(window)), list: () => trying(() => windows.list()) },
    calibrations: {
      load: () => reading(() => calibrations.load()),
      save: (calibration) => writing(() => calibrations.save(calibration)),
    },
    leases: {
      take: async (lease) => (await trying(() => leases.take(lease))) ?? true,
      held: async (names, nowMs) => (await trying(() => leases.held(names, nowMs))) ?? new Set(),
      release: (name, holder) => writing(() => leases.release(name, holder)),
    },
  };
}
