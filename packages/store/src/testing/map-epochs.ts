import fc from "fast-check";
import type { Epoch, EpochSelection, Epochs } from "../store.ts";
import { anyBound, anyEpoch, anyPrefix, anyScope, anySelection } from "./any-epoch.ts";

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

/** Something that may be done to epochs. */
export type EpochOperation =
  | { readonly kind: "put"; readonly epoch: Epoch }
  | {
      readonly kind: "find";
      readonly scope: string;
      readonly prefixes: readonly string[];
      readonly bound: readonly string[];
    }
  | { readonly kind: "remove"; readonly scope: string; readonly prefix: string }
  | { readonly kind: "clear"; readonly which: EpochSelection }
  | { readonly kind: "prune"; readonly unusedForMs: number; readonly maxBytes: number };

/** Any operation, those that matter most the most often. */
export function anyOperation(): fc.Arbitrary<EpochOperation> {
  const scope = anyScope();
  const prefix = anyPrefix();
  const unusedForMs = fc.nat({ max: 10 }).map((hours) => hours * 3_600_000);
  const maxBytes = fc.oneof(fc.nat({ max: 2_000 }), fc.constant(Number.MAX_SAFE_INTEGER));
  return fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant("put" as const), epoch: anyEpoch() }) },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant("find" as const),
        scope,
        prefixes: fc.array(prefix, { maxLength: 6 }),
        bound: fc.array(anyBound(), { maxLength: 2 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove" as const), scope, prefix }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("clear" as const), which: anySelection() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("prune" as const), unusedForMs, maxBytes }) },
  );
}

/** Carries an operation out, and returns what it returns. */
export function carryOut(operation: EpochOperation, epochs: Epochs, nowMs: number): Promise<unknown> {
  switch (operation.kind) {
    case "put":
      return epochs.put(operation.epoch);
    case "find":
      return epochs.find(operation.scope, operation.prefixes, operation.bound);
    case "remove":
      return epochs.remove(operation.scope, operation.prefix);
    case "clear":
      return epochs.clear(operation.which);
    case "prune":
      return epochs.prune(nowMs - operation.unusedForMs, operation.maxBytes);
    default:
      return operation satisfies never;
  }
}
