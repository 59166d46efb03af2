import { type Entry, PROJECTION_VERSION, type Projection } from "@longhaul/condense/advanced";
import { anyMessages } from "@longhaul/conversation/testing";
import fc from "fast-check";
import type { Epoch, EpochSelection, Epochs } from "../contract/store.ts";

interface Kept {
  readonly epoch: Epoch;
  usedAtMs: number;
}

/** The contract of epochs as a plain map, to compare stores with. */
export function makeMapEpochs(nowMs: () => number): Epochs {
  const kept = new Map<string, Kept>();
  const keyOf = (scope: string, prefix: string) => JSON.stringify([scope, prefix]);
  const deleteWhere = (matches: (kept: Kept) => boolean) => {
    const matching = [...kept].filter(([, value]) => matches(value));
    for (const [key] of matching) kept.delete(key);
    return matching.length;
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
      if (epoch.isPlaceholder && known !== undefined && !known.isPlaceholder) return;
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

/** An operation on epochs. */
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

/** Any operation, mostly puts and finds. */
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

/** Runs an operation and returns its result. */
export function runOperation(operation: EpochOperation, epochs: Epochs, nowMs: number): Promise<unknown> {
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

// Few enough names for epochs to collide.
const SCOPES = ["scope-1", "scope-2"] as const;
const PREFIXES = ["prefix-1", "prefix-2", "prefix-3", "prefix-4"] as const;
const TENANTS = ["tenant-1", "tenant-2"] as const;
const SESSIONS = ["session-1", "session-2", "session-3"] as const;

/** Any epoch that the engine may make, with one of a few names. */
export function anyEpoch(): fc.Arbitrary<Epoch> {
  return fc.record({
    scope: anyScope(),
    prefix: anyPrefix(),
    bound: anyBound(),
    evidence: fc.record({
      head: anyName(),
      through: fc.nat({ max: 2_000 }),
      messages: fc.array(anyName(), { maxLength: 3 }),
    }),
    tenant: fc.constantFrom(...TENANTS),
    session: fc.constantFrom(...SESSIONS),
    upstream: anyName(),
    model: anyName(),
    strategy: anyName(),
    from: fc.nat({ max: 2_000 }),
    projection: anyProjection(),
    isPlaceholder: fc.boolean(),
    tokensBefore: fc.nat(),
    tokensAfter: fc.nat(),
    targetTokens: fc.nat(),
    costUsd: fc.double({ min: 0, max: 100, noNaN: true }),
    madeAtMs: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
  });
}

/** One of a few scopes. */
export function anyScope(): fc.Arbitrary<string> {
  return fc.constantFrom(...SCOPES);
}

/** One of a few prefixes. */
export function anyPrefix(): fc.Arbitrary<string> {
  return fc.constantFrom(...PREFIXES);
}

/** One of a few bound hashes, or none. */
export function anyBound(): fc.Arbitrary<string> {
  return fc.constantFrom("", "bound-1", "bound-2");
}

/** Any selection of epochs to clear. */
export function anySelection(): fc.Arbitrary<EpochSelection> {
  const tenant = fc.constantFrom(...TENANTS);
  const session = fc.constantFrom(...SESSIONS);
  const scope = anyScope();
  return fc.oneof(
    fc.record({ tenant }),
    fc.record({ session }),
    fc.record({ scope }),
    fc.record({ tenant, session, scope }),
  );
}

function anyProjection(): fc.Arbitrary<Projection> {
  return fc
    .tuple(fc.nat({ max: 2_000 }), fc.array(anyEntry(), { maxLength: 3 }))
    .map(([messages, entries]) => ({ version: PROJECTION_VERSION, messages, entries }));
}

function anyEntry(): fc.Arbitrary<Entry> {
  const from = fc.nat({ max: 999 });
  const to = fc.integer({ min: 1_000, max: 2_000 });
  const message = anyMessages({ maxTurns: 1 }).map((messages) => messages[0]!);
  return fc.oneof(
    fc.record({ kind: fc.constant("keep" as const), from, to }),
    fc.record({ kind: fc.constant("made" as const), from, to, message }),
  );
}

/** PostgreSQL stores no NUL in a text. */
function anyName(): fc.Arbitrary<string> {
  return fc.string({ unit: "grapheme", maxLength: 12 }).map((name) => name.replaceAll("\0", ""));
}
