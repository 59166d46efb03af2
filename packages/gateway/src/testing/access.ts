import type { Store } from "@longhaul/store";
import { type Access, openAccess } from "../keys/access.ts";

/** Access to a gateway without keys. */
export const OPEN_ACCESS: Access = {
  ring: { hasKeys: async () => false, find: async () => undefined },
  limiter: { enter: async () => undefined, finished: () => {}, condensed: () => {} },
  alerts: { failure: () => undefined },
  close: async () => {},
};

/** Opens access with the keys of a store. */
export function makeAccess(store: Store, nowMs: () => number = () => 0): Promise<Access> {
  return openAccess({ store, nowMs, warn: () => {}, alerts: () => ({}) });
}
