import { randomUUID } from "node:crypto";
import type { TolerantStore } from "./tolerant-store.ts";

/** Who condenses which conversation, among all gateways on one store. */
export interface Claims {
  /**
   * Claims a conversation until it is released. Nothing where another gateway is at it, or at what was a turn or a few before; of two who ask
   * at once, one gets it. A store that fails lets everybody have it.
   */
  take(scope: string, prefixes: readonly string[]): Promise<Claim | undefined>;
}

/** A conversation that only this gateway condenses now. */
export interface Claim {
  release(): Promise<void>;
}

/** What claims take from outside. */
export interface ClaimOptions {
  readonly leases: TolerantStore["leases"];
  readonly nowMs: () => number;
}

/** What a gateway was at when it died is free for others after this. */
const LEASE_MS = 6_000;
/** Twice in vain before a lease is over: a store may be slow, and so may this process. */
const RENEW_MS = 2_000;
/** A condensation under way was begun a few turns ago at most. */
const MAX_STEPS_BACK = 50;

/** Opens the claims of one gateway. */
export function makeClaims({ leases, nowMs }: ClaimOptions): Claims {
  const holder = randomUUID();
  /** Those of its own, with what resolves when they are free again. */
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
