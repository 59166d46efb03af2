import type { CondensationEvent, EventBatch, RequestEvent, SessionSummary } from "../contract/events.ts";
import { hasFailed } from "./event-rows.ts";

/** What a batch adds to each session, events of none left out, all in one order: two who write the same rows in two orders wait for each other for ever. */
export function sessionRows({ requests, condensations }: EventBatch): SessionSummary[] {
  const rows = new Map<string, SessionSummary>();
  const add = (row: SessionSummary) => {
    if (row.session === "") return;
    const spelled = JSON.stringify([row.session, row.tenant]);
    const known = rows.get(spelled);
    rows.set(spelled, known === undefined ? row : joined(known, row));
  };
  for (const request of requests) add(sessionOfRequest(request));
  for (const condensation of condensations) add(sessionOfCondensation(condensation));
  return [...rows].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, row]) => row);
}

function joined(left: SessionSummary, right: SessionSummary): SessionSummary {
  return {
    ...(right.lastAtMs >= left.lastAtMs ? right : left),
    firstAtMs: Math.min(left.firstAtMs, right.firstAtMs),
    requests: left.requests + right.requests,
    errors: left.errors + right.errors,
    condensations: left.condensations + right.condensations,
    costUsd: left.costUsd + right.costUsd,
    savedUsd: left.savedUsd + right.savedUsd,
  };
}

function sessionOfRequest(event: RequestEvent): SessionSummary {
  const { tenant, session, parent, atMs, costUsd, savedUsd, model, upstream, strategy } = event;
  const { windowTokens, originalTokens, sentTokens } = event;
  return {
    tenant,
    session,
    parent,
    firstAtMs: atMs,
    lastAtMs: atMs,
    requests: 1,
    errors: hasFailed(event) ? 1 : 0,
    condensations: 0,
    costUsd,
    savedUsd,
    model,
    upstream,
    strategy,
    windowTokens,
    originalTokens,
    sentTokens,
  };
}

/** A condensation may be kept before its request is: its session is then there, and not used yet. */
function sessionOfCondensation({ tenant, session, costUsd }: CondensationEvent): SessionSummary {
  return {
    tenant,
    session,
    parent: "",
    firstAtMs: Number.MAX_SAFE_INTEGER,
    lastAtMs: -1,
    requests: 0,
    errors: 0,
    condensations: 1,
    costUsd,
    savedUsd: -costUsd,
    model: "",
    upstream: "",
    strategy: "",
    windowTokens: 0,
    originalTokens: 0,
    sentTokens: 0,
  };
}
