import { createHmac, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { LruMap } from "@longhaul/conversation/advanced";
import { DAY_MS, inTime } from "@longhaul/fit";
import type { Config } from "@longhaul/settings";
import type { KeyUse, Store } from "@longhaul/store";
import { failureCode } from "../logging/redact.ts";
import type { KeyHolder } from "./caller.ts";
import { freeAtMs } from "./limits.ts";

export type AlertedKey = Pick<KeyHolder, "keyId" | "name" | "tenant" | "limits">;

export interface AlertsOptions {
  readonly store: Pick<Store, "keys" | "limits" | "leases">;
  readonly settings: () => Config["alerts"];
  readonly nowMs: () => number;
  readonly warn: (what: string) => void;
  /** Pauses between attempts to deliver an alert. @default 1, 4 and 15 seconds */
  readonly pausesMs?: readonly number[];
}

/** Percent of a limit. */
const THRESHOLDS = [50, 80, 100] as const;
const PAUSES_MS = [1_000, 4_000, 15_000];
const TIMEOUT_MS = 5_000;
/** Longer than all attempts of one delivery: if its gateway dies, another one delivers the alert. */
const CLAIM_MS = 60_000;
/** How long an alert that could not be delivered is left alone. */
const REST_MS = 5 * 60_000;
/** All keys are checked this often, because the gateway that saw the last request may have died. */
const SWEEP_MS = 5 * 60_000;
const CLOSE_MS = 5_000;
const MAX_KNOWN = 10_000;

/**
 * Sends an alert to the operator's webhook when a key has spent 50, 80 or 100% of a limit: once for each threshold and period over all gateways
 * on the store, because a lease that lasts until the period ends claims each alert. No request waits for it.
 */
export class Alerts {
  readonly #options: AlertsOptions;
  readonly #holder = randomUUID();
  /** When an alert may be tried again, by its id. */
  readonly #restsUntilMs = new LruMap<number>(MAX_KNOWN);
  readonly #waiting = new Map<string, AlertedKey>();
  readonly #closing = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #working = Promise.resolve();
  #failure: string | undefined;

  constructor(options: AlertsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#sweep(), SWEEP_MS);
    this.#timer.unref();
    this.#sweep();
  }

  /** Why the last alert could not be delivered; undefined if it was. */
  failure(): string | undefined {
    return this.#options.settings().webhook === undefined ? undefined : this.#failure;
  }

  /** Checks a key in the background, after its costs were stored. */
  check(key: AlertedKey): void {
    if (this.#options.settings().webhook === undefined || budgetsOf(key, this.#options.nowMs()).length === 0) return;
    const isWaiting = this.#waiting.has(key.keyId);
    this.#waiting.set(key.keyId, key);
    if (!isWaiting) this.#work(() => this.#checkNext(key.keyId));
  }

  /** Waits a moment for alerts that are being delivered. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await inTime(CLOSE_MS, this.#working);
    this.#closing.abort();
    await this.#working;
  }

  #work(work: () => Promise<void>): void {
    this.#working = this.#working.then(work).catch((error: unknown) => this.#failed(error));
  }

  #sweep(): void {
    if (this.#options.settings().webhook === undefined) return;
    this.#work(async () => {
      const keys = await this.#options.store.keys.list();
      for (const { id, revokedAtMs, ...key } of keys) if (revokedAtMs === undefined) this.check({ ...key, keyId: id });
    });
  }

  async #checkNext(keyId: string): Promise<void> {
    const key = this.#waiting.get(keyId);
    this.#waiting.delete(keyId);
    const { store, nowMs } = this.#options;
    const now = nowMs();
    if (key === undefined || this.#closing.signal.aborted) return;
    const open = alertsOf(key, now).filter(({ body }) => (this.#restsUntilMs.get(body.id) ?? 0) <= now);
    if (open.length === 0) return;
    const used = await store.limits.used(keyId, now);
    for (const alert of open) await this.#deliverIfDue(alert, used);
  }

  async #deliverIfDue(alert: Alert, used: KeyUse): Promise<void> {
    const { limitUsd, threshold } = alert.body;
    const spentUsd = used[alert.use];
    if (spentUsd < (limitUsd * threshold) / 100) return;
    if (!(await this.#claim(alert, CLAIM_MS))) return this.#rest(alert, CLAIM_MS);
    const why = await this.#deliver({ ...alert.body, spentUsd });
    this.#failure = why;
    if (why !== undefined) this.#options.warn(`alert ${alert.body.id} was not delivered: ${why}; check alerts.webhook`);
    // Another gateway, or this one after a restart, may try again at once.
    if (why !== undefined && this.#closing.signal.aborted) return await this.#release(alert);
    const keptMs = why === undefined ? alert.endMs - this.#options.nowMs() + DAY_MS : REST_MS;
    this.#rest(alert, keptMs);
    await this.#claim(alert, keptMs);
  }

  #claim(alert: Alert, forMs: number): Promise<boolean> {
    const { store, nowMs } = this.#options;
    const now = nowMs();
    return store.leases.take({ name: leaseOf(alert), holder: this.#holder, nowMs: now, untilMs: now + forMs });
  }

  #release(alert: Alert): Promise<void> {
    return this.#options.store.leases.release(leaseOf(alert), this.#holder);
  }

  #rest({ body: { id } }: Alert, forMs: number): void {
    this.#restsUntilMs.set(id, this.#options.nowMs() + forMs);
  }

  /** Returns why no attempt succeeded, if none did. */
  async #deliver(body: AlertBody): Promise<string | undefined> {
    const { settings, nowMs, pausesMs = PAUSES_MS } = this.#options;
    const { webhook, webhookSecret } = settings();
    if (webhook === undefined) return "no webhook is set";
    const text = JSON.stringify({ ...body, at: new Date(nowMs()).toISOString() });
    for (const [attempt, pauseMs] of [...pausesMs, 0].entries()) {
      const why = await postAlert(webhook, text, webhookSecret).then(() => undefined, failureCode);
      if (why === undefined || attempt === pausesMs.length || this.#closing.signal.aborted) return why;
      await sleep(pauseMs, undefined, { signal: this.#closing.signal }).catch(() => {});
    }
    return undefined;
  }

  #failed(error: unknown): void {
    this.#options.warn(`alerts could not be checked: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The JSON that the webhook gets, without the time. */
interface AlertBody {
  readonly type: "key.spend";
  /** The same for every attempt, so that a receiver can ignore a repeated delivery. */
  readonly id: string;
  readonly key: { readonly id: string; readonly name: string; readonly tenant: string };
  readonly period: "day" | "month";
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly threshold: number;
  readonly limitUsd: number;
  readonly spentUsd: number;
}

interface Budget extends Pick<Alert, "use" | "endMs">, Pick<AlertBody, "period" | "periodStart" | "limitUsd"> {}

interface Alert {
  readonly use: "usdToday" | "usdThisMonth";
  readonly endMs: number;
  readonly body: Omit<AlertBody, "spentUsd">;
}

const PERIODS = [
  { limit: "usdPerDay", use: "usdToday", period: "day", dateChars: "2026-01-31".length },
  { limit: "usdPerMonth", use: "usdThisMonth", period: "month", dateChars: "2026-01".length },
] as const;

/** Returns the spend limits of a key with their current periods. A limit of 0 allows nothing, so there is nothing to report. */
function budgetsOf({ limits }: AlertedKey, nowMs: number): Budget[] {
  return PERIODS.flatMap(({ limit, use, period, dateChars }) => {
    const limitUsd = limits[limit] ?? 0;
    const date = new Date(nowMs).toISOString().slice(0, dateChars);
    return limitUsd > 0 ? [{ use, period, limitUsd, periodStart: date, endMs: freeAtMs(limit, nowMs) }] : [];
  });
}

function leaseOf({ body: { id } }: Alert): string {
  return `alert ${id}`;
}

/** Returns all alerts of a key in the current periods. The limit is part of the id, because a new limit has new thresholds. */
function alertsOf(key: AlertedKey, nowMs: number): Alert[] {
  const { keyId, name, tenant } = key;
  return budgetsOf(key, nowMs).flatMap(({ use, endMs, period, limitUsd, periodStart }) =>
    THRESHOLDS.map((threshold) => ({
      use,
      endMs,
      body: {
        type: "key.spend",
        id: `${keyId}/${periodStart}/${limitUsd}/${threshold}`,
        key: { id: keyId, name, tenant },
        period,
        periodStart: new Date(periodStart).toISOString(),
        periodEnd: new Date(endMs).toISOString(),
        threshold,
        limitUsd,
      },
    })),
  );
}

/** Posts an alert; rejects if the answer is not 2xx. A redirect counts as a failure. */
async function postAlert(webhook: string, body: string, secret: string | undefined): Promise<void> {
  const signature = secret && { "x-longhaul-signature": `sha256=${signatureOf(body, secret)}` };
  const response = await fetch(webhook, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", "user-agent": "longhaul", ...signature },
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`status ${response.status}`);
}

function signatureOf(body: string, secret: string): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}
