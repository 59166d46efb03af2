import { LonghaulError } from "@longhaul/conversation";
import type { Calibrations, Epochs, Fronts, LearnedWindow, Leases, Store, Windows } from "@longhaul/store";
import type { FrontStore } from "../history/message-memory.ts";
import { inTime, LATE } from "../threads/timing.ts";

/** The parts of a store that fitting uses. None of it ever rejects. */
export interface TolerantStore {
  readonly epochs: Pick<Epochs, "find" | "put" | "remove" | "prune">;
  readonly fronts: FrontStore;
  readonly windows: Pick<Windows, "learn"> & {
    /** Returns undefined if they cannot be read. */
    list(): Promise<readonly LearnedWindow[] | undefined>;
  };
  readonly calibrations: Calibrations;
  /** If they cannot be read or written, every lease is granted. */
  readonly leases: Leases;
}

/** How a tolerant store reports and waits. */
export interface TolerantOptions {
  /** Gets a message when the store fails and when it works again. @default none */
  readonly warn?: (what: string) => void;
  /** @default the system's clock */
  readonly nowMs?: () => number;
  /**
   * How long a request waits for the store, in milliseconds. A read that takes longer counts as empty; a write continues in the background.
   * @default 100
   */
  readonly waitMs?: () => number;
}

const DEFAULT_WAIT_MS = 100;
/** The part of that wait for facts about a conversation, which only save time: without them it is read again. */
const FRONTS_SHARE = 0.5;
/** Steps of that wait: a process that is busy for 100 ms has not waited for 100 ms, and the answer may be there already. */
const WAIT_STEPS = 4;
/** How long requests do not wait at all after the store was late, unless it answers earlier. */
const PAUSE_MS = 1_000;
/** Unfinished writes to a slow store; further ones are dropped. */
const MAX_WRITES = 1_000;

/**
 * Wraps a store so that its failures and delays never fail a request: data that cannot be read in time is absent, data that cannot be
 * written is lost. The log reports each kind of failure once, and when the store works again.
 */
export function tolerantStore(
  { epochs, fronts, windows, calibrations, leases }: Store,
  options: TolerantOptions = {},
): TolerantStore {
  const { warn = () => {}, nowMs = Date.now, waitMs = () => DEFAULT_WAIT_MS } = options;
  const trouble = makeStoreTrouble({ warn, nowMs });
  const triesOf = (share = 1) => makeTries({ trouble, nowMs, waitMs: () => waitMs() * share });
  const { trying } = triesOf();
  return {
    epochs: tolerantEpochs(epochs, triesOf()),
    fronts: tolerantFronts(fronts, triesOf(FRONTS_SHARE)),
    windows: {
      learn: (window) => trying("writing", () => windows.learn(window)),
      list: () => trying("reading", () => windows.list()),
    },
    calibrations: {
      load: async () => (await trying("reading", () => calibrations.load())) ?? [],
      save: (calibration) => trying("writing", () => calibrations.save(calibration)),
    },
    leases: tolerantLeases(leases, triesOf()),
  };
}

function tolerantEpochs(epochs: Epochs, { trying, hurrying }: Tries): TolerantStore["epochs"] {
  return {
    find: async (scope, prefixes, bound) =>
      (await hurrying("reading", () => epochs.find(scope, prefixes, bound))) ?? [],
    put: (epoch) => hurrying("writing", () => epochs.put(epoch)),
    remove: (scope, prefix) => hurrying("writing", () => epochs.remove(scope, prefix)),
    prune: async (unusedSinceMs, maxBytes) =>
      (await trying("writing", () => epochs.prune(unusedSinceMs, maxBytes))) ?? 0,
  };
}

function tolerantFronts(fronts: Fronts, { trying, hurrying }: Tries): TolerantStore["fronts"] {
  return {
    find: async (keys) => (await hurrying("reading", () => fronts.find(keys))) ?? [],
    read: (front) => hurrying("reading", () => fronts.read(front)),
    put: async (...front) => (await trying("writing", () => fronts.put(...front).then(() => true))) ?? false,
    prune: async (storedBeforeMs, maxBytes) =>
      (await trying("writing", () => fronts.prune(storedBeforeMs, maxBytes))) ?? 0,
  };
}

function tolerantLeases(leases: Leases, { trying, hurrying }: Tries): TolerantStore["leases"] {
  return {
    take: async (lease) => (await hurrying("writing", () => leases.take(lease))) ?? true,
    held: async (names, atMs) => (await hurrying("reading", () => leases.held(names, atMs))) ?? new Set(),
    release: (name, holder) => hurrying("writing", () => leases.release(name, holder)),
    prune: async (atMs) => (await trying("writing", () => leases.prune(atMs))) ?? 0,
  };
}

/** Accesses the store. Resolves to undefined if that fails. */
type Try = <T>(access: StoreAccess, act: () => Promise<T>) => Promise<T | undefined>;

/** `trying` waits for the store as long as it takes, `hurrying` only as long as a request may. */
interface Tries {
  readonly trying: Try;
  readonly hurrying: Try;
}

interface TriesOptions extends Required<Pick<TolerantOptions, "nowMs" | "waitMs">> {
  readonly trouble: ReturnType<typeof makeStoreTrouble>;
}

/** Each part of the store has its own: a late answer from one must not make another, more important one look empty. */
function makeTries({ trouble, nowMs, waitMs }: TriesOptions): Tries {
  let writes = 0;
  const late = new Set<Promise<unknown>>();
  let lateMs = Number.NEGATIVE_INFINITY;
  const trying: Try = async (access, act) => {
    if (access === "writing" && writes >= MAX_WRITES) return undefined;
    if (access === "writing") writes += 1;
    try {
      const found = await act();
      trouble.worked(access);
      return found;
    } catch (error) {
      trouble.failed(access, error);
      return undefined;
    } finally {
      if (access === "writing") writes -= 1;
    }
  };
  const hurrying: Try = async (access, act) => {
    const isPausing = late.size > 0 && nowMs() - lateMs < PAUSE_MS;
    if (isPausing && access === "reading") return undefined;
    const asked = trying(access, act);
    const limitMs = waitMs();
    const found = isPausing ? undefined : await inSteps(asked, limitMs);
    if (found !== LATE) return found;
    trouble.failed(
      access,
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

/** A full disk fails only writes. */
type StoreAccess = "reading" | "writing";

export interface StoreTroubleOptions {
  readonly warn: (what: string) => void;
  readonly nowMs: () => number;
}

/** The same kind of failure is reported at most this often, even if the store is flapping. */
const REPORT_EVERY_MS = 60_000;

/** Reports each kind of failure once, and again after the store has worked in between. Also reports that it works again. */
export function makeStoreTrouble({ warn, nowMs }: StoreTroubleOptions) {
  const reportedMs = new Map<string, number>();
  /** The kinds of failure that were reported and are not over. */
  const ongoing = new Set<string>();
  const failing = new Set<StoreAccess>();
  return {
    failed: (access: StoreAccess, error: unknown) => {
      failing.add(access);
      const { code, message } =
        error instanceof LonghaulError ? error : { code: "internal.bug", message: String(error) };
      const sinceMs = nowMs() - (reportedMs.get(code) ?? Number.NEGATIVE_INFINITY);
      if (ongoing.has(code) || sinceMs < REPORT_EVERY_MS) return;
      ongoing.add(code);
      reportedMs.set(code, nowMs());
      warn(`persistent store unavailable (${code}): ${message}`);
    },
    worked: (access: StoreAccess) => {
      if (!failing.delete(access) || failing.size > 0 || ongoing.size === 0) return;
      ongoing.clear();
      warn("persistent store available again");
    },
  };
}
