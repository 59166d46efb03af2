import type { Epoch, Epochs } from "../store.ts";

interface Kept {
  readonly epoch: Epoch;
  usedAtMs: number;
}

/** The contract of epochs in its plainest form, to compare stores with. */
export function makeMapEpochs(nowMs: () => number): Epochs {
  const kept = new Map<string, Kept>();
  const keyOf = (scope: string, prefix: string) => JSON.stringify([scope, prefix]);
  const deleteWhere = (matches: (kept: Kept) => boolean) => {
    const doomed = [...kept].filter(([, value]) => matches(value));
    for (const [key] of doomed) kept.delete(key);
    return doomed.length;
  };
  return {
    async find(scope, prefixes, bound = []) {
      const found = [...kept.values()].filter(
        ({ epoch }) => epoch.scope === scope && (prefixes.includes(epoch.prefix) || bound.includes(epoch.bound)),
      );
      for (const value of found) value.usedAtMs = nowMs();
      return found.map(({ epoch }) => epoch).sort(byLength);
    },
    async put(epoch) {
      const key = keyOf(epoch.scope, epoch.prefix);
      const known = kept.get(key)?.epoch;
      if (epoch.isStandIn && known !== undefined && !known.isStandIn) return;
      kept.set(key, { epoch, usedAtMs: nowMs() });
    },
    async remove(scope, prefix) {
      kept.delete(keyOf(scope, prefix));
    },
    async clear({ tenant, session, scope }) {
      return deleteWhere(
        ({ epoch }) =>
          (tenant === undefined || tenant === epoch.tenant) &&
          (session === undefined || session === epoch.session) &&
          (scope === undefined || scope === epoch.scope),
      );
    },
    async prune(unusedSinceMs, maxBytes) {
      const unused = deleteWhere(({ usedAtMs }) => usedAtMs < unusedSinceMs);
      let bytes = 0;
      const overSize = [...kept.values()].sort(byUse).filter(({ epoch }) => {
        bytes += Buffer.byteLength(JSON.stringify(epoch.projection) + JSON.stringify(epoch.evidence));
        return bytes > maxBytes;
      });
      return unused + deleteWhere((value) => overSize.includes(value));
    },
  };
}

function byUse(left: Kept, right: Kept): number {
  const [leftKey, rightKey] = [left, right].map(({ epoch }) => [epoch.scope, epoch.prefix].join(" "));
  return right.usedAtMs - left.usedAtMs || (`${leftKey}` < `${rightKey}` ? -1 : 1);
}

function byLength(left: Epoch, right: Epoch): number {
  return right.projection.messages - left.projection.messages || (left.prefix < right.prefix ? -1 : 1);
}
