import fc from "fast-check";
import type { EventBatch } from "../contract/events.ts";
import { makeCondensationEvent, makeRequestEvent } from "./make.ts";

const DAY_MS = 86_400_000;

/** Any events of three days, with figures that sum up exactly in any order. */
export function anyEventBatch(): fc.Arbitrary<EventBatch> {
  const places = {
    id: fc.uuid(),
    atMs: fc.nat({ max: 3 * DAY_MS }),
    tenant: fc.constantFrom("tenant-1", "tenant-2"),
    keyId: fc.constantFrom("", "key"),
    model: fc.constantFrom("opus", "gpt"),
    upstream: fc.constantFrom("claude", "openai"),
    strategy: fc.constantFrom("", "native"),
  };
  const usd = fc.integer({ min: -8, max: 8 }).map((quarters) => quarters / 4);
  const tokens = fc.nat({ max: 1_000 });
  const request = fc.record({
    ...places,
    status: fc.constantFrom(200, 400, 529),
    errorCode: fc.constantFrom("", "upstream.broken"),
    attempts: fc.nat({ max: 3 }),
    inputTokens: tokens,
    windowTokens: tokens,
    originalTokens: tokens,
    sentTokens: fc.oneof(fc.constant(0), tokens),
    costUsd: usd,
    savedUsd: usd,
  });
  const condensation = fc.record({ ...places, costUsd: usd });
  return fc.record({
    requests: fc.array(request.map(makeRequestEvent), { maxLength: 12 }),
    condensations: fc.array(condensation.map(makeCondensationEvent), { maxLength: 5 }),
  });
}
