import { LonghaulError } from "@longhaul/conversation";
import { findModel } from "@longhaul/models";
import { perMeasure, type RequestEvent, type Span, type Totals, type TotalsQuery } from "@longhaul/store";
import { codecNamed } from "@longhaul/wire";
import {
  analyticsQuerySchema,
  analyticsSchema,
  eventsQuerySchema,
  eventsSchema,
  forgottenSchema,
  type RequestDetailAnswer,
  requestDetailSchema,
  requestQuerySchema,
  sessionDetailSchema,
  sessionQuerySchema,
  sessionsQuerySchema,
  sessionsSchema,
} from "../api/events.ts";
import type { RowsPage } from "../api/previews.ts";
import { unzipBody } from "../previews/preview-thread.ts";
import { type AdminContext, type Route, route } from "./route.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_TURNS = 2_000;
const MAX_CHILDREN = 500;
/** More sub-agents than any session has. */
const ALL_CHILDREN = 1_000_000;

export const EVENTS_ROUTES: readonly Route[] = [
  route("GET", "/events", {
    summary: "Lists requests, latest first.",
    query: eventsQuerySchema,
    answer: eventsSchema,
    run: async ({ query }, { store }) => {
      const { limit, beforeMs, beforeId = "", failed, ...rest } = query;
      const which = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
      const before = beforeMs === undefined ? {} : { before: { atMs: beforeMs, id: beforeId } };
      const hasFailed = failed === undefined ? {} : { hasFailed: failed === "yes" };
      return { requests: [...(await store.events.requests({ limit, ...which, ...before, ...hasFailed }))] };
    },
  }),
  route("GET", "/sessions", {
    summary: "Lists sessions, most recently used first.",
    query: sessionsQuerySchema,
    answer: sessionsSchema,
    run: async ({ query: { limit, parent, beforeMs, beforeSession, beforeTenant } }, { store }) => {
      const last = beforeMs !== undefined && { lastAtMs: beforeMs, session: beforeSession, tenant: beforeTenant };
      const which = { limit, ...(parent !== undefined && { parent }), ...(last && { before: last }) };
      return { sessions: [...(await store.events.sessions(which))] };
    },
  }),
  route("GET", "/sessions/:id", {
    summary: "Returns the turns and condensations of one session.",
    query: sessionQuerySchema,
    answer: sessionDetailSchema,
    run: async ({ params: { id = "" }, query: { tenant } }, { store }) => {
      const which = { tenant, session: id, limit: MAX_TURNS };
      const [turns, condensations, children] = await Promise.all([
        store.events.requests(which),
        store.events.condensations(which),
        store.events.sessions({ tenant, parent: id, limit: MAX_CHILDREN }),
      ]);
      if (turns.length === 0) throw new LonghaulError("request.not-kept", `session "${id}" not found`);
      return {
        turns: turns.toReversed(),
        condensations: condensations.toReversed(),
        parent: turns[0]?.parent ?? "",
        children: [...children],
        isCut: turns.length === MAX_TURNS,
      };
    },
  }),
  route("DELETE", "/sessions/:id", {
    summary: "Deletes a session and its sub-agents: events, contents and condensations. Totals stay.",
    query: sessionQuerySchema,
    answer: forgottenSchema,
    run: async ({ params: { id = "" }, query: { tenant } }, { store, fitting }) => {
      const forgotten = { epochs: 0, events: 0, contents: 0 };
      for (const session of await withSubAgents(tenant, id, store)) {
        forgotten.epochs += await store.epochs.clear({ tenant, session });
        fitting.epochs.forget(tenant, session);
        forgotten.events += await store.events.clear(tenant, session);
        forgotten.contents += await store.contents.clear(tenant, session);
      }
      return forgotten;
    },
  }),
  route("GET", "/analytics", {
    summary: "Returns the totals of a time span: overall, over time, and by model, key, strategy and upstream.",
    query: analyticsQuerySchema,
    answer: analyticsSchema,
    run: async ({ query }, context) => {
      const { untilMs = context.nowMs() } = query;
      const { sinceMs = untilMs - DAY_MS } = query;
      const { bucket = untilMs - sinceMs > 3 * DAY_MS ? "day" : "hour" } = query;
      return { sinceMs, untilMs, bucket, ...(await totalsOf({ sinceMs, untilMs }, bucket, context)) };
    },
  }),
  route("GET", "/requests/:id", {
    summary: "Returns one request: its figures, its condensations, and both bodies if content is recorded.",
    query: requestQuerySchema,
    answer: requestDetailSchema,
    run: async ({ params: { id = "" }, query: { from, limit, row } }, context) => {
      const { events } = context.store;
      const [request, condensations] = await Promise.all([
        events.request(id),
        events.condensations({ requestId: id, limit: MAX_CONDENSATIONS }),
      ]);
      if (request === undefined) throw new LonghaulError("request.not-kept", `request "${id}" not found`);
      const contents = await contentsOf(request, { from, limit, ...(row !== undefined && { row }) }, context);
      return { request, condensations: [...condensations], ...(contents && { contents }) };
    },
  }),
];

/** Returns a session and all sessions that it started. Ends even if clients name each other as parents. */
async function withSubAgents(tenant: string, id: string, { events }: AdminContext["store"]): Promise<Set<string>> {
  const found = new Set([id]);
  for (const parent of found) {
    if (parent === "") continue;
    const children = await events.sessions({ tenant, parent, limit: ALL_CHILDREN });
    for (const { session } of children) found.add(session);
  }
  return found;
}

async function totalsOf(span: Span, bucket: TotalsQuery["bucket"], { store: { events } }: AdminContext) {
  const by = async (group: NonNullable<TotalsQuery["by"]>) => [
    ...sumByGroup(await events.totals({ ...span, bucket, by: group })),
  ];
  const overTime = [...(await events.totals({ ...span, bucket }))];
  const earlier = { sinceMs: 2 * span.sinceMs - span.untilMs, untilMs: span.sinceMs };
  return {
    all: sumTotals(overTime, ""),
    before: sumTotals(await events.totals({ ...earlier, bucket }), ""),
    sessions: await events.countSessions(span),
    overTime,
    byModel: await by("model"),
    byKey: await by("keyId"),
    byStrategy: await by("strategy"),
    byUpstream: await by("upstream"),
  };
}

export function noTotals(atMs: number, group: string): Totals {
  return { atMs, group, ...perMeasure(() => 0) };
}

/** Adds totals of different times, starting at the time of the first. */
export function sumTotals(all: readonly Totals[], group: string): Totals {
  return all.reduce<Totals>(add, noTotals(all[0]?.atMs ?? 0, group));
}

/** Adds totals of different times by group, the group with most requests first. */
export function sumByGroup(all: readonly Totals[]): readonly Totals[] {
  const groups = new Map<string, Totals>();
  for (const totals of all)
    groups.set(totals.group, add(groups.get(totals.group) ?? noTotals(totals.atMs, totals.group), totals));
  return [...groups.values()].sort((a, b) => b.requests - a.requests);
}

function add({ atMs, group, ...one }: Totals, other: Totals): Totals {
  return { atMs, group, ...perMeasure((name) => one[name] + other[name]) };
}

/** More than one is rare: a request that the upstream rejects as too long is condensed again. */
const MAX_CONDENSATIONS = 20;

async function contentsOf(
  { id, sentAs, model }: RequestEvent,
  page: RowsPage,
  { store, snapshots, previews }: AdminContext,
): Promise<RequestDetailAnswer["contents"]> {
  const kept = await store.contents.find(id);
  if (kept === undefined) return undefined;
  const [{ id: wire }, { id: sentWire }] = [codecNamed(kept.wire), codecNamed(kept.sentWire)];
  const before = { text: await unzipBody(kept.before), wire };
  const after = kept.after === undefined ? before : { text: await unzipBody(kept.after), wire: sentWire };
  const { tokenizer } = findModel(snapshots.current().catalog, sentAs === "" ? model : sentAs).model;
  const compared = await previews.compare({ kind: "compare", before, after, tokenizer, page });
  return { wire, sentWire, isSame: kept.after === undefined, ...compared };
}
