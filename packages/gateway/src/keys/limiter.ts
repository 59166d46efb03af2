import { LruMap } from "@longhaul/conversation";
import {
  type CondensationEvent,
  type KeyLimits,
  type KeyUse,
  type Limits,
  type LimitVerdict,
  refusedBy,
} from "@longhaul/store";
import type { EndedRequest, Observer } from "../events/observer.ts";
import type { KeyHolder } from "./caller.ts";
import type { Counted } from "./limit-headers.ts";
import { freeAtMs, limitRefusal } from "./limit-refusal.ts";
import { within } from "./within.ts";

/** Holds keys to their limits, together with all gateways on the same store. It is told of what is over as an observer. */
export interface Limiter extends Observer {
  /** Counts a request in; throws `limit.exceeded` where it is one too many. Nothing where its key has no limits: then nobody is asked. */
  enter(caller: KeyHolder, requestId: string): Promise<Counted | undefined>;
  /** Writes down what is still to be counted; the store stays open. */
  close(): Promise<void>;
}

/** What a limiter takes from outside. */
export interface LimiterOptions {
  readonly limits: Limits;
  readonly nowMs: () => number;
  /** Tells the operator. */
  readonly warn: (what: string) => void;
  /** How long the store may take before the last known counts decide. @default 500 */
  readonly limitMs?: number;
  /** How often requests under way are told of. @default 20 seconds */
  readonly renewMs?: number;
}

const DEFAULT_LIMIT_MS = 500;
const DEFAULT_RENEW_MS = 20_000;
/** How long a request counts that nobody tells of any more: its gateway may have died. */
const LEASE_MS = 60_000;
/** So many times longer than for one request the store may take for the last ones. */
const SETTLE_LIMITS = 10;
/** How long a store that failed is left alone. */
const PAUSE_MS = 5_000;
const PRUNE_MS = 60 * 60_000;
const MAX_KNOWN = 10_000;

/** Opens a limiter over the store's counts. */
export function openLimiter(options: LimiterOptions): Limiter {
  const counts = new Counts(options);
  const timer = setInterval(() => void counts.renew(), options.renewMs ?? DEFAULT_RENEW_MS);
  timer.unref();
  return {
    enter: async (caller, requestId) =>
      Object.keys(caller.limits).length === 0 ? undefined : await counts.enter(caller, requestId),
    finished: ({ event }: EndedRequest) => counts.leave(event.id, event.costUsd),
    condensed: ({ id, keyId, costUsd }: CondensationEvent) => counts.spend(keyId, id, costUsd),
    close: async () => {
      clearInterval(timer);
      await counts.settle();
    },
  };
}

interface UnderWay {
  readonly keyId: string;
  /** Over when the store has counted it in, or has not; absent where it was not asked. */
  readonly entered?: Promise<unknown>;
}

class Counts {
  readonly #options: LimiterOptions;
  readonly #underWay = new Map<string, UnderWay>();
  /** What keys had used when they were last counted. */
  readonly #lastUses = new LruMap<LastUse & { readonly heardMs: number }>(MAX_KNOWN);
  /** Costs that the store could not be told, by key. */
  readonly #owed = new Map<string, number>();
  readonly #posting = new Set<Promise<void>>();
  #failedMs = Number.NEGATIVE_INFINITY;
  #prunedMs = Number.NEGATIVE_INFINITY;

  constructor(options: LimiterOptions) {
    this.#options = options;
  }

  async enter(caller: KeyHolder, requestId: string): Promise<Counted> {
    const nowMs = this.#options.nowMs();
    const { keyId } = caller;
    const verdict = await this.#ask(caller, requestId, nowMs);
    const { used, refusedBy: limit } = verdict;
    this.#lastUses.set(keyId, { used, atMs: nowMs, heardMs: verdict.isHeard ? nowMs : this.#heardMs(keyId) });
    if (limit === undefined) return { used, nowMs };
    if (verdict.isHeard) this.#underWay.delete(requestId);
    else this.leave(requestId, 0);
    throw limitRefusal(caller, { limit, used, nowMs });
  }

  leave(requestId: string, usd: number): void {
    const found = this.#underWay.get(requestId);
    if (found === undefined) return;
    this.#underWay.delete(requestId);
    const { keyId, entered } = found;
    this.#addCost(keyId, usd);
    if (entered !== undefined) this.#track(entered.then(() => this.#post(keyId, requestId, usd)));
    else if (usd > 0) this.#track(this.#post(keyId, requestId, usd));
  }

  /** What was spent for a key besides the requests themselves; summaries may be done after the request that they were made for. */
  spend(keyId: string, id: string, usd: number): void {
    if (usd === 0 || this.#lastUses.get(keyId) === undefined) return;
    this.#addCost(keyId, usd);
    this.#track(this.#post(keyId, id, usd));
  }

  /** Tells the store what is still under way, and what it could not be told before. */
  async renew(): Promise<void> {
    const { limits, nowMs } = this.#options;
    const expiresAtMs = nowMs() + LEASE_MS;
    const keyIds = new Set([...this.#underWay.values()].map(({ keyId }) => keyId));
    const renewals = [...keyIds].map((keyId) => limits.renew(keyId, this.#requestsOf(keyId), expiresAtMs));
    const owed = [...this.#owed.keys()].map((keyId) => this.#post(keyId, "owed", 0));
    await Promise.all([...renewals, ...owed, this.#prune()]).catch((error: unknown) => this.#fail(error));
  }

  async settle(): Promise<void> {
    const { limitMs = DEFAULT_LIMIT_MS } = this.#options;
    const settled = Promise.all(this.#posting).then(() =>
      Promise.all([...this.#owed.keys()].map((keyId) => this.#post(keyId, "owed", 0))),
    );
    await within(limitMs * SETTLE_LIMITS, settled).catch((error: unknown) => this.#fail(error));
  }

  async #ask(
    caller: KeyHolder,
    requestId: string,
    nowMs: number,
  ): Promise<LimitVerdict & { readonly isHeard: boolean }> {
    const { keyId, limits } = caller;
    const isPausing = nowMs - this.#failedMs < PAUSE_MS;
    const entry = { keyId, requestId, limits, nowMs, expiresAtMs: nowMs + LEASE_MS };
    const asked = isPausing ? undefined : this.#options.limits.enter(entry);
    this.#underWay.set(requestId, { keyId, ...(asked && { entered: asked.catch(() => {}) }) });
    if (asked === undefined) return this.#guess(caller, requestId, nowMs);
    try {
      const verdict = await within(this.#options.limitMs ?? DEFAULT_LIMIT_MS, asked);
      this.#failedMs = Number.NEGATIVE_INFINITY;
      return { ...verdict, isHeard: true };
    } catch (error) {
      this.#fail(error);
      return this.#guess(caller, requestId, nowMs);
    }
  }

  /** Judges by the last known counts; what other gateways had under way is over by the time that they would have told of it again. */
  #guess({ keyId, limits }: KeyHolder, requestId: string, nowMs: number): LimitVerdict & { readonly isHeard: boolean } {
    const last = this.#lastUses.get(keyId);
    const known = last === undefined ? NOTHING_USED : useBy(last, nowMs);
    const own = this.#requestsOf(keyId).filter((id) => id !== requestId).length;
    const isRecent = nowMs - this.#heardMs(keyId) < LEASE_MS;
    const used = { ...known, underWay: isRecent ? Math.max(own, known.underWay) : own };
    const limit = refusedBy(limits, used);
    if (limit !== undefined) return { refusedBy: limit, used, isHeard: false };
    return { used: useWithOneMore(used), isHeard: false };
  }

  #requestsOf(keyId: string): string[] {
    return [...this.#underWay].filter(([, request]) => request.keyId === keyId).map(([id]) => id);
  }

  #heardMs(keyId: string): number {
    return this.#lastUses.get(keyId)?.heardMs ?? Number.NEGATIVE_INFINITY;
  }

  #addCost(keyId: string, usd: number): void {
    const last = this.#lastUses.get(keyId);
    if (last === undefined) return;
    const nowMs = this.#options.nowMs();
    this.#lastUses.set(keyId, { ...last, used: useWithCost(useBy(last, nowMs), usd), atMs: nowMs });
  }

  async #post(keyId: string, requestId: string, usd: number): Promise<void> {
    const all = usd + (this.#owed.get(keyId) ?? 0);
    this.#owed.delete(keyId);
    try {
      await this.#options.limits.leave(keyId, requestId, { usd: all, atMs: this.#options.nowMs() });
    } catch (error) {
      this.#fail(error);
      if (all > 0) this.#owed.set(keyId, all + (this.#owed.get(keyId) ?? 0));
    }
  }

  #track(posted: Promise<void>): void {
    const tracked = posted.finally(() => this.#posting.delete(tracked));
    this.#posting.add(tracked);
  }

  async #prune(): Promise<void> {
    const { limits, nowMs } = this.#options;
    if (nowMs() - this.#prunedMs < PRUNE_MS) return;
    this.#prunedMs = nowMs();
    await limits.prune(nowMs());
  }

  #fail(error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    const isNew = this.#failedMs === Number.NEGATIVE_INFINITY;
    this.#failedMs = this.#options.nowMs();
    if (isNew) this.#options.warn(`limits are not counted in the database, the last known counts decide: ${why}`);
  }
}

const NOTHING_USED: KeyUse = { requestsThisMinute: 0, underWay: 0, usdToday: 0, usdThisMonth: 0 };

/** What a key had used when somebody last knew. */
export interface LastUse {
  readonly used: KeyUse;
  readonly atMs: number;
}

/** What that comes to by now, if nothing else was used: minutes, days and months begin anew. */
export function useBy({ used, atMs }: LastUse, nowMs: number): KeyUse {
  const isOver = (limit: keyof KeyLimits) => nowMs >= freeAtMs(limit, atMs);
  return {
    requestsThisMinute: isOver("requestsPerMinute") ? 0 : used.requestsThisMinute,
    underWay: used.underWay,
    usdToday: isOver("usdPerDay") ? 0 : used.usdToday,
    usdThisMonth: isOver("usdPerMonth") ? 0 : used.usdThisMonth,
  };
}

/** With one more request under way. */
export function useWithOneMore(used: KeyUse): KeyUse {
  return { ...used, requestsThisMinute: used.requestsThisMinute + 1, underWay: used.underWay + 1 };
}

/** With so much more spent. */
export function useWithCost(used: KeyUse, usd: number): KeyUse {
  return { ...used, usdToday: used.usdToday + usd, usdThisMonth: used.usdThisMonth + usd };
}
