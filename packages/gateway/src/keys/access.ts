import { LonghaulError } from "@longhaul/conversation";
import { type Config, isLoopback } from "@longhaul/settings";
import type { Keys, Store } from "@longhaul/store";
import type { Observer } from "../events/observer.ts";
import { Alerts, type AlertsOptions } from "./alerts.ts";
import { KeyRing } from "./key-ring.ts";
import { Limiter } from "./limiter.ts";
import type { StoreGuardOptions } from "./store-guard.ts";

/** The API keys of the gateway and their limits. */
export interface Access {
  readonly ring: Pick<KeyRing, "hasKeys" | "find">;
  readonly limiter: Pick<Limiter, "enter" | keyof Observer>;
  readonly alerts: Pick<Alerts, "failure">;
  /** Writes the remaining counts and sends the alerts that they cause; the store stays open. */
  close(): Promise<void>;
}

export interface AccessOptions extends Omit<StoreGuardOptions, "consequence"> {
  readonly store: AlertsOptions["store"] & Pick<Store, "changes">;
  readonly alerts: AlertsOptions["settings"];
}

export async function openAccess({ store, nowMs, warn, alerts: settings }: AccessOptions): Promise<Access> {
  const { keys, changes, limits } = store;
  const ring = await KeyRing.open({ keys, changes, nowMs, warn });
  const alerts = new Alerts({ store, settings, nowMs, warn });
  const limiter = new Limiter({ limits, nowMs, warn, onSpent: (key) => alerts.check(key) });
  return {
    ring,
    limiter,
    alerts,
    close: async () => {
      ring.close();
      await limiter.close();
      await alerts.close();
    },
  };
}

type ServerConfig = Pick<Config["server"], "keys" | "host">;

/** Whether clients need a key. With `auto`: as soon as a key exists, or if other machines can reach the gateway. */
export async function requiresKeys({ keys, host }: ServerConfig, ring: Pick<KeyRing, "hasKeys">): Promise<boolean> {
  if (keys !== "auto") return keys === "required";
  return !isLoopback(host) || (await ring.hasKeys());
}

/**
 * Returns a warning if every request would be rejected: keys are required, and none exists or all are revoked. The gateway still starts,
 * because its dashboard is where an operator creates the next key.
 */
export async function lockedOutWarning(
  server: ServerConfig,
  { ring, keys }: { readonly ring: Pick<KeyRing, "hasKeys">; readonly keys: Pick<Keys, "list"> },
): Promise<LockedOut | undefined> {
  if (!(await requiresKeys(server, ring))) return undefined;
  const all = await keys.list();
  if (all.some(({ revokedAtMs }) => revokedAtMs === undefined)) return undefined;
  const why = all.length === 0 ? "none exists" : "all of them are revoked";
  // Only then does a gateway without keys accept requests.
  const goBack = server.keys === "auto" && isLoopback(server.host) ? GO_BACK : "";
  return {
    why: `every request is rejected: API keys are required, and ${why}`,
    remedy: `create one with \`longhaul keys create <name>\`${goBack}`,
  };
}

interface LockedOut {
  readonly why: string;
  readonly remedy: string;
}

const GO_BACK = ", or go back to a gateway without keys with `longhaul keys delete --all`";

/** Throws `settings.invalid` for an address that other machines can reach while no key exists. */
export async function checkHost({ keys, host }: ServerConfig, ring: Pick<KeyRing, "hasKeys">): Promise<void> {
  if (keys !== "auto" || isLoopback(host) || (await ring.hasKeys())) return;
  throw new LonghaulError(
    "settings.invalid",
    `server.host: other machines can reach ${host}, and no API key exists; create one with \`longhaul keys create <name>\`, ` +
      "set server.keys to required to start without one, or to off if a proxy authenticates clients",
  );
}
