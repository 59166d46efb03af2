import { type Entry, PROJECTION_VERSION, type Projection } from "@longhaul/condense";
import { anyMessages } from "@longhaul/conversation/testing";
import fc from "fast-check";
import type { Epoch, EpochSelection } from "../store.ts";

// So few names that epochs often meet.
const SCOPES = ["scope-1", "scope-2"] as const;
const PREFIXES = ["prefix-1", "prefix-2", "prefix-3", "prefix-4"] as const;
const TENANTS = ["tenant-1", "tenant-2"] as const;
const SESSIONS = ["session-1", "session-2", "session-3"] as const;

/** Any epoch that the engine may make, under one of a few names. */
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
    isStandIn: fc.boolean(),
    tokensBefore: fc.nat(),
    tokensAfter: fc.nat(),
    targetTokens: fc.nat(),
    costUsd: fc.double({ min: 0, max: 100, noNaN: true }),
    madeAtMs: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
  });
}

/** One of few scopes. */
export function anyScope(): fc.Arbitrary<string> {
  return fc.constantFrom(...SCOPES);
}

/** One of few prefixes. */
export function anyPrefix(): fc.Arbitrary<string> {
  return fc.constantFrom(...PREFIXES);
}

/** One of few bound hashes, or none. */
export function anyBound(): fc.Arbitrary<string> {
  return fc.constantFrom("", "bound-1", "bound-2");
}

/** What epochs are cleared by. */
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

/** PostgreSQL has no texts with NUL in them. */
function anyName(): fc.Arbitrary<string> {
  return fc.string({ unit: "grapheme", maxLength: 12 }).map((name) => name.replaceAll("\0", ""));
}
