import { randomUUID } from "node:crypto";
import type { TolerantStore } from "./tolerant-store.ts";

/** Decides which gateway on a store condenses which conversation. */
export interface Claims {
  /**
   * Claims a conversation until it is released. Returns undefined if another gateway condenses it, now or since a few turns; of concurrent
   * calls one succeeds. If the store fails, every claim succeeds.
   */
  take(scope: string, prefixes: readonly string[]): Promise<Claim | undefined>;
}

/** A conversation that only this gateway condenses now. */
export interface Claim {
  release(): Promise<void>;
}

export interface ClaimOptions {
  readonly leases: TolerantStore["leases"];
  readonly nowMs: () => number;
}

/** The work of a dead gateway is free for others after this time. */
const LEASE_MS = 6_000;
/** Allows two failed renewals before a lease ends: the store may be slow, and so may this process. */
const RENEW_MS = 2_000;
/** A running condensation was started a few turns ago at most. */
const MAX_STEPS_BACK = 50;

export function makeClaims({ leases, nowMs }: ClaimOptions): Claims {
  const holder = randomUUID();
  /** Its own claims, with a promise that resolves when they are free again. */
  const own = new Map<string, Promise<void> | undefined>();
  const hold = (name: string) => {
    const now = nowMs();
    return leases.take({ name, holder, nowMs: now, untilMs: now + LEASE_MS });
  };
  return {
    take: async (scope, prefixes) => {
      const names = prefixes.slice(-MAX_STEPS_BACK).map((prefix) => `${scope}/${prefix}`);
      const name = names.at(-1) ?? scope;
      await own.get(name);
      const others = names.filter((each) => !own.has(each));
      if ((await leases.held(others, nowMs())).size > 0 || !(await hold(name))) return undefined;
      own.set(name, undefined);
      const timer = setInterval(() => void hold(name), RENEW_MS);
      timer.unref();
      return {
        release: async () => {
          clearInterval(timer);
          const released = leases.release(name, holder).then(() => void own.delete(name));
          own.set(name, released);
          await released;
        },
      };
    },
  };
}
