import { LruMap } from "@longhaul/conversation/advanced";
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
import { type Counted, freeAtMs, limitRefusal } from "./limits.ts";
import { StoreGuard, type StoreGuardOptions, within } from "./store-guard.ts";

export interface LimiterOptions extends Omit<StoreGuardOptions, "consequence"> {
  readonly limits: Limits;
  /** Called after a cost of a key was stored. @default nothing happens */
  readonly onSpent?: (key: KeyHolder) => void;
  /** Deadline of the store, after which the last known counts decide. @default 500 */
  readonly limitMs?: number;
  /** How often the leases of requests in flight are renewed. @default 20 seconds */
  readonly renewMs?: number;
}

const DEFAULT_LIMIT_MS = 500;
const DEFAULT_RENEW_MS = 20_000;
/** How long a request counts without renewal: its gateway may have died. */
const LEASE_MS = 60_000;
/** On close, the deadline is this many times longer. */
const SETTLE_LIMITS = 10;
const PRUNE_MS = 60 * 60_000;
const MAX_KNOWN = 10_000;

interface UnderWay {
  readonly keyId: string;
  /** Settles when the store has answered; absent if it was not asked. */
  readonly entered?: Promise<unknown>;
}

/** Enforces the limits of keys across all gateways on the same store. As an observer it learns of finished requests and their costs. */
export class Limiter implements Observer {
  readonly #options: LimiterOptions;
  readonly #underWay = new Map<string, UnderWay>();
  /** The last known use of each key. */
  readonly #lastUses = new LruMap<LastUse & { readonly countedMs: number; readonly key: KeyHolder }>(MAX_KNOWN);
  /** Costs that are not in the store yet, by key. */
  readonly #owed = new Map<string, number>();
  readonly #posting = new Set<Promise<void>>();
  #prunedMs = Number.NEGATIVE_INFINITY;
  readonly #guard: StoreGuard;
  readonly #timer: NodeJS.Timeout;

  constructor(options: LimiterOptions) {
    this.#options = options;
    this.#guard = new StoreGuard({ ...options, consequence: CONSEQUENCE });
    this.#timer = setInterval(() => void this.#renew(), options.renewMs ?? DEFAULT_RENEW_MS);
    this.#timer.unref();
  }

  /** Counts a request; throws `limit.exceeded` if it exceeds a limit. Returns undefined, without asking the store, if its key has no limits. */
  async enter(caller: KeyHolder, requestId: string): Promise<Counted | undefined> {
    if (Object.keys(caller.limits).length === 0) return undefined;
    const nowMs = this.#options.nowMs();
    const { keyId } = caller;
    const verdict = await this.#ask(caller, requestId, nowMs);
    const { used, refusedBy: limit } = verdict;
    const countedMs = verdict.isCounted ? nowMs : this.#countedMs(keyId);
    this.#lastUses.set(keyId, { key: caller, used, atMs: nowMs, countedMs });
    if (limit === undefined) return { used, nowMs };
    if (verdict.isCounted) this.#underWay.delete(requestId);
    else this.#leave(requestId, 0);
    throw limitRefusal(caller, { limit, used, nowMs });
  }

  finished({ event }: EndedRequest): void {
    this.#leave(event.id, event.costUsd);
  }

  #leave(requestId: string, usd: number): void {
    const found = this.#underWay.get(requestId);
    if (found === undefined) return;
    this.#underWay.delete(requestId);
    const { keyId, entered } = found;
    this.#addCost(keyId, usd);
    if (entered !== undefined) this.#track(entered.then(() => this.#post(keyId, requestId, usd)));
    else if (usd > 0) this.#track(this.#post(keyId, requestId, usd));
  }

  /** Adds costs of a key apart from its requests: summaries may finish after the request that they were made for. */
  condensed({ id, keyId, costUsd }: CondensationEvent): void {
    if (costUsd === 0 || this.#lastUses.get(keyId) === undefined) return;
    this.#addCost(keyId, costUsd);
    this.#track(this.#post(keyId, id, costUsd));
  }

  /** Renews the requests in flight and writes the costs that failed before. */
  async #renew(): Promise<void> {
    const { limits, nowMs } = this.#options;
    const expiresAtMs = nowMs() + LEASE_MS;
    const keyIds = new Set([...this.#underWay.values()].map(({ keyId }) => keyId));
    const renewals = [...keyIds].map((keyId) => limits.renew(keyId, this.#requestsOf(keyId), expiresAtMs));
    const owed = [...this.#owed.keys()].map((keyId) => this.#post(keyId, "owed", 0));
    await Promise.all([...renewals, ...owed, this.#prune()]).catch((error: unknown) => this.#guard.failed(error));
  }

  /** Writes the remaining counts; the store stays open. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const { limitMs = DEFAULT_LIMIT_MS } = this.#options;
    const settled = Promise.all(this.#posting).then(() =>
      Promise.all([...this.#owed.keys()].map((keyId) => this.#post(keyId, "owed", 0))),
    );
    await within(limitMs * SETTLE_LIMITS, settled).catch((error: unknown) => this.#guard.failed(error));
  }

  async #ask(
    caller: KeyHolder,
    requestId: string,
    nowMs: number,
  ): Promise<LimitVerdict & { readonly isCounted: boolean }> {
    const { keyId, limits } = caller;
    const entry = { keyId, requestId, limits, nowMs, expiresAtMs: nowMs + LEASE_MS };
    const asked = this.#guard.isPausing ? undefined : this.#options.limits.enter(entry);
    this.#underWay.set(requestId, { keyId, ...(asked && { entered: asked.catch(() => {}) }) });
    if (asked === undefined) return this.#guess(caller, requestId, nowMs);
    try {
      const verdict = await within(this.#options.limitMs ?? DEFAULT_LIMIT_MS, asked);
      this.#guard.recovered();
      return { ...verdict, isCounted: true };
    } catch (error) {
      this.#guard.failed(error);
      return this.#guess(caller, requestId, nowMs);
    }
  }

  /** Decides by the last known counts. Requests of other gateways count until their leases would have expired. */
  #guess(
    { keyId, limits }: KeyHolder,
    requestId: string,
    nowMs: number,
  ): LimitVerdict & { readonly isCounted: boolean } {
    const last = this.#lastUses.get(keyId);
    const known = last === undefined ? NOTHING_USED : useBy(last, nowMs);
    const own = this.#requestsOf(keyId).filter((id) => id !== requestId).length;
    const isRecent = nowMs - this.#countedMs(keyId) < LEASE_MS;
    const used = { ...known, underWay: isRecent ? Math.max(own, known.underWay) : own };
    const limit = refusedBy(limits, used);
    if (limit !== undefined) return { refusedBy: limit, used, isCounted: false };
    return { used: useWithOneMore(used), isCounted: false };
  }

  #requestsOf(keyId: string): string[] {
    return [...this.#underWay].filter(([, request]) => request.keyId === keyId).map(([id]) => id);
  }

  #countedMs(keyId: string): number {
    return this.#lastUses.get(keyId)?.countedMs ?? Number.NEGATIVE_INFINITY;
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
      const key = this.#lastUses.get(keyId)?.key;
      if (all > 0 && key !== undefined) this.#options.onSpent?.(key);
    } catch (error) {
      this.#guard.failed(error);
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
}

const CONSEQUENCE = "requests cannot be counted in the database; limits use the last known counts";
const NOTHING_USED: KeyUse = { requestsThisMinute: 0, underWay: 0, usdToday: 0, usdThisMonth: 0 };

export interface LastUse {
  readonly used: KeyUse;
  readonly atMs: number;
}

/** Returns the use at a later time without further requests: counters restart with each minute, day and month. */
export function useBy({ used, atMs }: LastUse, nowMs: number): KeyUse {
  const isOver = (limit: keyof KeyLimits) => nowMs >= freeAtMs(limit, atMs);
  return {
    requestsThisMinute: isOver("requestsPerMinute") ? 0 : used.requestsThisMinute,
    underWay: used.underWay,
    usdToday: isOver("usdPerDay") ? 0 : used.usdToday,
    usdThisMonth: isOver("usdPerMonth") ? 0 : used.usdThisMonth,
  };
}

export function useWithOneMore(used: KeyUse): KeyUse {
  return { ...used, requestsThisMinute: used.requestsThisMinute + 1, underWay: used.underWay + 1 };
}

export function useWithCost(used: KeyUse, usd: number): KeyUse {
  return { ...used, usdToday: used.usdToday + usd, usdThisMonth: used.usdThisMonth + usd };
}
