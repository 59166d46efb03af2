import type { CondensationEvent, EventBatch, RequestEvent, Totals, TotalsQuery } from "../contract/events.ts";

/** The sums over batches in their plainest form, to compare stores with. */
export function sumUp(batches: readonly EventBatch[], query: TotalsQuery): Totals[] {
  const requests = batches.flatMap((batch) => batch.requests);
  const condensations = batches.flatMap((batch) => batch.condensations);
  const lengthMs = query.bucket === "hour" ? 3_600_000 : 86_400_000;
  const beginOf = (atMs: number) => atMs - (atMs % lengthMs);
  const groupOf = (event: RequestEvent | CondensationEvent) => (query.by === undefined ? "" : event[query.by]);
  const isAsked = (event: RequestEvent | CondensationEvent) =>
    (query.tenant === undefined || query.tenant === event.tenant) &&
    beginOf(event.atMs) < query.untilMs &&
    beginOf(event.atMs) + lengthMs > query.sinceMs;
  const spelled = [...requests, ...condensations]
    .filter(isAsked)
    .map((event) => JSON.stringify([beginOf(event.atMs), groupOf(event)]));
  const totals = [...new Set(spelled)].map((name) => {
    const isHere = (event: RequestEvent | CondensationEvent) =>
      isAsked(event) && JSON.stringify([beginOf(event.atMs), groupOf(event)]) === name;
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
    addedMs: sum(({ addedMs }) => addedMs),
    condensations: condensations.length,
    condensingUsd: condensations.reduce((total, { costUsd }) => total + costUsd, 0),
  };
}
