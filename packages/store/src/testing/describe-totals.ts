import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CondensationEvent, EventBatch, RequestEvent, Totals, TotalsQuery } from "../contract/events.ts";
import type { StoreOpener } from "./describe-store.ts";
import { makeCondensationEvent, makeRequestEvent, makeTotals } from "./make.ts";

const EVER = { sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER } as const;
const DAY_MS = 86_400_000;

export function describeTotals({ open, openTwo }: StoreOpener): void {
  describe("totals", () => {
    it("sum up hours and days in UTC", async () => {
      const { events } = await open();
      const times = ["2026-02-28T23:59:59.999Z", "2026-03-01T00:00:00.000Z", "2026-03-01T01:00:00.000Z"];
      const requests = times.map((time) => makeRequestEvent({ id: time, atMs: Date.parse(time) }));
      await events.add({ requests, condensations: [] });
      const requestsBy = async (bucket: "hour" | "day") =>
        (await events.totals({ bucket, ...EVER })).map((total) => [new Date(total.atMs).toISOString(), total.requests]);
      expect(await requestsBy("day")).toEqual([
        ["2026-02-28T00:00:00.000Z", 1],
        ["2026-03-01T00:00:00.000Z", 2],
      ]);
      expect(await requestsBy("hour")).toEqual([
        ["2026-02-28T23:00:00.000Z", 1],
        ["2026-03-01T00:00:00.000Z", 1],
        ["2026-03-01T01:00:00.000Z", 1],
      ]);
    });

    it("have every figure", async () => {
      const { events } = await open();
      const figures = { atMs: 0, attempts: 2, status: 500, windowTokens: 5_000, sentTokens: 4_412, savedUsd: -0.5 };
      const unsent = makeRequestEvent({ id: "unsent", atMs: 0, sentTokens: 0 });
      await events.add({
        requests: [makeRequestEvent(figures), unsent],
        condensations: [makeCondensationEvent({ atMs: 0 })],
      });
      const expected = makeTotals({
        requests: 2,
        errors: 1,
        fallbacks: 1,
        overWindow: 1,
        inputTokens: 24,
        cacheReadTokens: 18_000,
        cacheWriteTokens: 800,
        outputTokens: 700,
        savedTokens: 5_000,
        costUsd: 0.5,
        savedUsd: -0.5,
        addedMs: 7,
        condensations: 1,
        condensingUsd: 0.125,
      });
      expect(await events.totals({ bucket: "day", ...EVER })).toStrictEqual([expected]);
      expect(await events.totals({ bucket: "hour", ...EVER })).toStrictEqual([expected]);
    });

    it("count an event once even if it is added again", async () => {
      const [first, second] = await openTwo();
      const requests = Array.from({ length: 100 }, (_, index) => makeRequestEvent({ id: `request-${index}`, atMs: 0 }));
      const condensations = [makeCondensationEvent({ atMs: 0 })];
      await Promise.all([
        first.events.add({ requests: requests.slice(0, 70), condensations }),
        second.events.add({ requests: requests.slice(30).reverse(), condensations }),
      ]);
      await first.events.add({ requests: [...requests, ...requests], condensations });
      const [total] = await second.events.totals({ bucket: "day", ...EVER });
      expect(total).toMatchObject({ requests: 100, costUsd: 25, condensations: 1 });
      expect(await second.events.sessions({ limit: 9 })).toMatchObject([{ requests: 100, condensations: 1 }]);
    });

    it("accept concurrent batches in different orders", async () => {
      const handles = await openTwo();
      const indexes = Array.from({ length: 40 }, (_, index) => index);
      const batchOf = (name: string, order: readonly number[]) => ({
        requests: order.map((number, index) =>
          makeRequestEvent({ id: `${name}-${index}`, model: `model-${number}`, session: `session-${number}`, atMs: 0 }),
        ),
        condensations: [],
      });
      for (let round = 0; round < 5; round++) {
        await Promise.all([
          handles[0].events.add(batchOf(`forth-${round}`, indexes)),
          handles[1].events.add(batchOf(`back-${round}`, indexes.toReversed())),
        ]);
      }
      const totals = await handles[0].events.totals({ bucket: "hour", by: "model", ...EVER });
      expect(totals.map(({ requests }) => requests)).toEqual(Array.from({ length: 40 }, () => 10));
    });

    it("of days outlive their events, those of hours do not", async () => {
      const { events } = await open();
      const requests = [0, DAY_MS].map((atMs) => makeRequestEvent({ id: `${atMs}`, atMs }));
      await events.add({ requests, condensations: [] });
      await events.clear("tenant", "session");
      expect(await events.totals({ bucket: "hour", ...EVER })).toHaveLength(2);
      await events.prune(DAY_MS);
      expect((await events.totals({ bucket: "day", ...EVER })).map(({ atMs }) => atMs)).toEqual([0, DAY_MS]);
      expect((await events.totals({ bucket: "hour", ...EVER })).map(({ atMs }) => atMs)).toEqual([DAY_MS]);
    });

    it("cover whole hours and days, wherever the span begins", async () => {
      const { events } = await open();
      const requests = [0, 1, 2, 3].map((day) => makeRequestEvent({ id: `${day}`, atMs: day * DAY_MS }));
      await events.add({ requests, condensations: [] });
      const days = async (sinceMs: number, untilMs: number) =>
        (await events.totals({ bucket: "day", sinceMs, untilMs })).map(({ atMs }) => atMs / DAY_MS);
      expect(await days(DAY_MS, 3 * DAY_MS)).toEqual([1, 2]);
      expect(await days(2 * DAY_MS - 1, 3 * DAY_MS + 1)).toEqual([1, 2, 3]);
    });

    it("equal plain sums for any events", async () => {
      let runs = 0;
      const query: fc.Arbitrary<TotalsQuery> = fc.record(
        {
          bucket: fc.constantFrom("hour", "day"),
          sinceMs: fc.nat({ max: 3 * DAY_MS }),
          untilMs: fc.nat({ max: 3 * DAY_MS }),
          by: fc.constantFrom("model", "keyId", "strategy", "upstream"),
          tenant: fc.constantFrom("tenant-1", "tenant-2"),
        },
        { requiredKeys: ["bucket", "sinceMs", "untilMs"] },
      );
      const batches: fc.Arbitrary<EventBatch[]> = fc.array(anyEventBatch(), { maxLength: 3 });
      await fc.assert(
        fc.asyncProperty(batches, query, async (added, query) => {
          const { events } = await open(`run-${runs++}`);
          for (const batch of added) await events.add(batch);
          expect(await events.totals(query)).toEqual(sumUp(added, query));
        }),
        { numRuns: 15 },
      );
    });
  });
}

/** The totals of batches as plain sums, to compare stores with. */
function sumUp(batches: readonly EventBatch[], query: TotalsQuery): Totals[] {
  const requests = batches.flatMap((batch) => batch.requests);
  const condensations = batches.flatMap((batch) => batch.condensations);
  const lengthMs = query.bucket === "hour" ? 3_600_000 : 86_400_000;
  const beginOf = (atMs: number) => atMs - (atMs % lengthMs);
  const groupOf = (event: RequestEvent | CondensationEvent) => (query.by === undefined ? "" : event[query.by]);
  const isSelected = (event: RequestEvent | CondensationEvent) =>
    (query.tenant === undefined || query.tenant === event.tenant) &&
    beginOf(event.atMs) < query.untilMs &&
    beginOf(event.atMs) + lengthMs > query.sinceMs;
  const keys = [...requests, ...condensations]
    .filter(isSelected)
    .map((event) => JSON.stringify([beginOf(event.atMs), groupOf(event)]));
  const totals = [...new Set(keys)].map((name) => {
    const isHere = (event: RequestEvent | CondensationEvent) =>
      isSelected(event) && JSON.stringify([beginOf(event.atMs), groupOf(event)]) === name;
    const [atMs, group] = JSON.parse(name);
    return { atMs, group, ...figures(requests.filter(isHere), condensations.filter(isHere)) };
  });
  return totals.sort((left, right) => left.atMs - right.atMs || (left.group < right.group ? -1 : 1));
}

function figures(requests: readonly RequestEvent[], condensations: readonly CondensationEvent[]) {
  const sum = (figureOf: (request: RequestEvent) => number) =>
    requests.reduce((total, request) => total + figureOf(request), 0);
  const count = (isCounted: (request: RequestEvent) => boolean) => requests.filter(isCounted).length;
  return {
    requests: requests.length,
    errors: count(({ status, errorCode }) => status >= 400 || errorCode !== ""),
    fallbacks: count(({ attempts }) => attempts > 1),
    overWindow: count(({ windowTokens, originalTokens }) => windowTokens > 0 && originalTokens > windowTokens),
    inputTokens: sum(({ inputTokens }) => inputTokens),
    cacheReadTokens: sum(({ cacheReadTokens }) => cacheReadTokens),
    cacheWriteTokens: sum(({ cacheWriteTokens }) => cacheWriteTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    savedTokens: sum(({ originalTokens, sentTokens }) => (sentTokens === 0 ? 0 : originalTokens - sentTokens)),
    costUsd: sum(({ costUsd }) => costUsd),
    savedUsd: sum(({ savedUsd }) => savedUsd),
    deduplicatedUsd: sum(({ deduplicatedUsd }) => deduplicatedUsd),
    cachedUsd: sum(({ cachedUsd }) => cachedUsd),
    addedMs: sum(({ addedMs }) => addedMs),
    condensations: condensations.length,
    condensingUsd: condensations.reduce((total, { costUsd }) => total + costUsd, 0),
  };
}

/** Any events of three days, with figures that add up exactly in any order. */
function anyEventBatch(): fc.Arbitrary<EventBatch> {
  const common = {
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
    ...common,
    status: fc.constantFrom(200, 400, 529),
    errorCode: fc.constantFrom("", "upstream.broken"),
    attempts: fc.nat({ max: 3 }),
    inputTokens: tokens,
    windowTokens: tokens,
    originalTokens: tokens,
    sentTokens: fc.oneof(fc.constant(0), tokens),
    costUsd: usd,
    savedUsd: usd,
    deduplicatedUsd: usd,
    cachedUsd: usd,
  });
  const condensation = fc.record({ ...common, costUsd: usd });
  return fc.record({
    requests: fc.array(request.map(makeRequestEvent), { maxLength: 12 }),
    condensations: fc.array(condensation.map(makeCondensationEvent), { maxLength: 5 }),
  });
}
