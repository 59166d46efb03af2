import { LonghaulError } from "@longhaul/conversation";
import { findModel } from "@longhaul/models";
import { type Events, perMeasure, type RequestEvent, type Span, type Totals, type TotalsQuery } from "@longhaul/store";
import { codecNamed } from "@longhaul/wire";
import {
  analyticsQuerySchema,
  analyticsSchema,
  eventsQuerySchema,
  eventsSchema,
  type RequestDetailAnswer,
  requestDetailSchema,
  requestQuerySchema,
} from "../api/events.ts";
import type { RowsPage } from "../api/previews.ts";
import { unzipBody } from "../previews/preview-thread.ts";
import { type AdminContext, type Route, route } from "./route.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

export const EVENTS_ROUTES: readonly Route[] = [
  route("GET", "/events", {
    summary: "Lists requests, latest first.",
    query: eventsQuerySchema,
    answer: eventsSchema,
    run: async ({ query }, { store }) => {
      const { limit, beforeMs, beforeId = "", failed, condensed, ...rest } = query;
      const before = beforeMs === undefined ? {} : { before: { atMs: beforeMs, id: beforeId } };
      const which = { ...withoutUndefined(rest), ...choices({ hasFailed: failed, isCondensed: condensed }) };
      return { requests: await withTitles(await store.events.requests({ limit, ...which, ...before }), store.events) };
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

async function withTitles(requests: readonly RequestEvent[], events: Pick<Events, "sessions">) {
  const titles = new Map<string, ReadonlyMap<string, string>>();
  for (const tenant of new Set(requests.map((each) => each.tenant))) {
    const names = [...new Set(requests.flatMap((each) => (each.tenant === tenant ? [each.session] : [])))];
    const sessions = await events.sessions({ tenant, names, limit: names.length });
    titles.set(tenant, new Map(sessions.map(({ session, title }) => [session, title])));
  }
  return requests.map((each) => ({ ...each, title: titles.get(each.tenant)?.get(each.session) ?? "" }));
}

/** Leaves out filters that are not set. */
export function withoutUndefined(query: Readonly<Record<string, string | number | undefined>>) {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}

/** Reads filters that are a yes or no. */
export function choices(query: Readonly<Record<string, "yes" | "no" | undefined>>): Record<string, boolean> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, value === "yes"]));
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
    latencies: await events.latencies(span),
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
