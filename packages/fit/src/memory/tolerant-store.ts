import { LonghaulError } from "@longhaul/conversation";
import type { Calibrations, Epochs, LearnedWindow, Leases, Store, Windows } from "@longhaul/store";
import { inTime, LATE } from "../threads/timing.ts";

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

/** What a tolerant store takes from outside. */
export interface TolerantOptions {
  /** Gets a message when the store fails, and when it works again. @default none */
  readonly warn?: (what: string) => void;
  /** @default the system's clock */
  readonly nowMs?: () => number;
  /** How long a request waits for the store. A read that takes longer counts as empty; a write goes on in the background. @default 100 */
  readonly waitMs?: () => number;
}

const DEFAULT_WAIT_MS = 100;
/** Steps of that wait: a process that is busy for 100 ms has not waited for 100 ms, and the answer may be there already. */
const WAIT_STEPS = 4;
/** How long requests do not wait at all after the store was late, unless it answers before that. */
const PAUSE_MS = 1_000;
/** Writes that a slow store has not finished; more than these are dropped. */
const MAX_WRITES = 1_000;

/**
 * Returns a store whose failures and delays cost what it keeps, never a request: what cannot be read in time is absent, what cannot be
 * written is lost. The log reports each kind of failure once, and when the store works again.
 */
export function tolerantStore(
  { epochs, windows, calibrations, leases }: Store,
  options: TolerantOptions = {},
): TolerantStore {
  const { trying, hurrying } = makeTries(options);
  return {
    epochs: {
      find: async (scope, prefixes, bound) =>
        (await hurrying("reading", () => epochs.find(scope, prefixes, bound))) ?? [],
      put: (epoch) => hurrying("writing", () => epochs.put(epoch)),
      remove: (scope, prefix) => hurrying("writing", () => epochs.remove(scope, prefix)),
      prune: async (unusedSinceMs, maxBytes) =>
        (await trying("writing", () => epochs.prune(unusedSinceMs, maxBytes))) ?? 0,
    },
    windows: {
      learn: (window) => trying("writing", () => windows.learn(window)),
      list: () => trying("reading", () => windows.list()),
    },
    calibrations: {
      load: async () => (await trying("reading", () => calibrations.load())) ?? [],
      save: (calibration) => trying("writing", () => calibrations.save(calibration)),
    },
    leases: {
      take: async (lease) => (await hurrying("writing", () => leases.take(lease))) ?? true,
      held: async (names, atMs) => (await hurrying("reading", () => leases.held(names, atMs))) ?? new Set(),
      release: (name, holder) => hurrying("writing", () => leases.release(name, holder)),
      prune: async (atMs) => (await trying("writing", () => leases.prune(atMs))) ?? 0,
    },
  };
}

/** Asks the store; resolves to nothing if that fails. */
type Try = <T>(asking: Asking, act: () => Promise<T>) => Promise<T | undefined>;

/** `trying` waits for the store as long as it takes, `hurrying` as long as a request may. */
function makeTries(options: TolerantOptions): { readonly trying: Try; readonly hurrying: Try } {
  const { warn = () => {}, nowMs = Date.now, waitMs = () => DEFAULT_WAIT_MS } = options;
  const trouble = makeStoreTrouble({ warn, nowMs });
  let writes = 0;
  const late = new Set<Promise<unknown>>();
  let lateMs = Number.NEGATIVE_INFINITY;
  const trying: Try = async (asking, act) => {
    if (asking === "writing" && writes >= MAX_WRITES) return undefined;
    if (asking === "writing") writes += 1;
    try {
      const found = await act();
      trouble.worked(asking);
      return found;
    } catch (error) {
      trouble.failed(asking, error);
      return undefined;
    } finally {
      if (asking === "writing") writes -= 1;
    }
  };
  const hurrying: Try = async (asking, act) => {
    const isPausing = late.size > 0 && nowMs() - lateMs < PAUSE_MS;
    if (isPausing && asking === "reading") return undefined;
    const asked = trying(asking, act);
    const limitMs = waitMs();
    const found = isPausing ? undefined : await inSteps(asked, limitMs);
    if (found !== LATE) return found;
    trouble.failed(
      asking,
      new LonghaulError("store.unavailable", `no answer within ${limitMs} ms (store.waitSeconds)`),
    );
    lateMs = nowMs();
    late.add(asked);
    void asked.finally(() => late.delete(asked));
    return undefined;
  };
  return { trying, hurrying };
}

async function inSteps<T>(asked: Promise<T>, limitMs: number): Promise<T | typeof LATE> {
  for (let step = 0; step < WAIT_STEPS; step++) {
    const found = await inTime(limitMs / WAIT_STEPS, asked);
    if (found !== LATE) return found;
  }
  return LATE;
}

/** What was asked of a store. A full disk fails writing alone. */
type Asking = "reading" | "writing";

/** Tells the operator of a store that fails, and when it works again. */
export interface StoreTrouble {
  failed(asking: Asking, error: unknown): void;
  worked(asking: Asking): void;
}

/** What telling takes from outside. */
export interface StoreTroubleOptions {
  readonly warn: (what: string) => void;
  readonly nowMs: () => number;
}

/** The same kind of failure is told no more often than this, however often the store comes and goes. */
const TELL_EVERY_MS = 60_000;

/** Each kind of failure is told once, and again when the store had worked in between. */
export function makeStoreTrouble({ warn, nowMs }: StoreTroubleOptions): StoreTrouble {
  const toldMs = new Map<string, number>();
  /** The kinds that the operator takes to last. */
  const lasting = new Set<string>();
  const failing = new Set<Asking>();
  return {
    failed: (asking, error) => {
      failing.add(asking);
      const { code, message } =
        error instanceof LonghaulError ? error : { code: "internal.bug", message: String(error) };
      const sinceMs = nowMs() - (toldMs.get(code) ?? Number.NEGATIVE_INFINITY);
      if (lasting.has(code) || sinceMs < TELL_EVERY_MS) return;
      lasting.add(code);
      toldMs.set(code, nowMs());
      warn(`what outlives a restart cannot be read or written (${code}): ${message}`);
    },
    worked: (asking) => {
      if (!failing.delete(asking) || failing.size > 0 || lasting.size === 0) return;
      lasting.clear();
      warn("what outlives a restart can be read and written again");
    },
  };
}
