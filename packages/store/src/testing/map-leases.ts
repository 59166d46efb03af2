import type { Lease, Leases } from "../contract/leases.ts";

/** The contract of leases in its plainest form, to compare stores with. */
export function makeMapLeases(): Leases {
  const held = new Map<string, Lease>();
  return {
    async take(lease) {
      const known = held.get(lease.name);
      if (known !== undefined && known.holder !== lease.holder && known.untilMs > lease.nowMs) return false;
      held.set(lease.name, lease);
      return true;
    },
    async held(names, nowMs) {
      return new Set(names.filter((name) => (held.get(name)?.untilMs ?? nowMs) > nowMs));
    },
    async release(name, holder) {
      if (held.get(name)?.holder === holder) held.delete(name);
    },
    async prune(nowMs) {
      const expired = [...held.values()].filter(({ untilMs }) => untilMs <= nowMs);
      for (const { name } of expired) held.delete(name);
      return expired.length;
    },
  };
}
