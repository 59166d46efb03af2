import type { Store } from "@longhaul/store";
import { type KeyRing, openKeyRing } from "./key-ring.ts";
import { type Limiter, openLimiter } from "./limiter.ts";

/** Who may use the gateway, and how much. */
export interface Access {
  readonly ring: KeyRing;
  readonly limiter: Limiter;
  /** Writes down what is still to be counted; the store stays open. */
  close(): Promise<void>;
}

/** What access takes from outside. */
export interface AccessOptions {
  readonly store: Pick<Store, "keys" | "changes" | "limits">;
  readonly nowMs: () => number;
  /** Tells the operator. */
  readonly warn: (what: string) => void;
}

/** Opens the keys and limits of a store. */
export async function openAccess({ store, nowMs, warn }: AccessOptions): Promise<Access> {
  const { keys, changes, limits } = store;
  const ring = await openKeyRing({ keys, changes, nowMs, warn });
  const limiter = openLimiter({ limits, nowMs, warn });
  return {
    ring,
    limiter,
    close: async () => {
      ring.close();
      await limiter.close();
    },
  };
}
