import { table } from "@longhaul/conversation/advanced";
import {
  measuresOfCondensation,
  measuresOfRequest,
  type SessionDescription,
  type SessionPosition,
  type Span,
  type Store,
  type Totals,
} from "@longhaul/store";
import type { USAGE_GROUPS } from "../terminal/options.ts";

/** The figures of a period or a group. Costs include summaries; savings are net of them. */
export type UsageRow = ReturnType<typeof sumUp>;

export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** Sums up totals. */
export function sumUp(name: string, all: readonly Totals[]) {
  const sum = (figure: (totals: Totals) => number) => all.reduce((total, each) => total + figure(each), 0);
  return {
    name,
    requests: sum(({ requests }) => requests),
    errors: sum(({ errors }) => errors),
    inputTokens: sum(({ inputTokens }) => inputTokens),
    cacheWriteTokens: sum(({ cacheWriteTokens }) => cacheWriteTokens),
    cacheReadTokens: sum(({ cacheReadTokens }) => cacheReadTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    savedTokens: sum(({ savedTokens }) => savedTokens),
    costUsd: sum(({ costUsd, condensingUsd }) => costUsd + condensingUsd),
    savedUsd: sum(({ savedUsd, condensingUsd }) => savedUsd - condensingUsd),
    /** The parts of the savings; the prompt cache's are not among them. */
    deduplicatedUsd: sum(({ deduplicatedUsd }) => deduplicatedUsd),
    condensedUsd: sum(({ savedUsd, deduplicatedUsd }) => savedUsd - deduplicatedUsd),
    condensingUsd: sum(({ condensingUsd }) => condensingUsd),
    cachedUsd: sum(({ cachedUsd }) => cachedUsd),
  };
}

/** Returns the rows of a group in a span: times from early to late, others by cost. */
export async function groupedUsage(store: Store, by: Exclude<UsageGroup, "block">, span: Span): Promise<UsageRow[]> {
  switch (by) {
    case "day":
    case "week":
    case "month":
      return rowsBy(await dailyTotals(store, span), ({ atMs }) => PERIOD_NAMES[by](atMs));
    case "project":
    case "client":
    case "session": {
      const names = await sessionNames(store, by, span);
      const unnamed = (session: string) => (by === "session" && session) || `(no ${by})`;
      return byCost(rowsBy(await eventsIn(store, span), ({ group }) => names.get(group) || unnamed(group)));
    }
    case "key": {
      const names = new Map((await store.keys.list()).map(({ id, name }) => [id, name]));
      const totals = await dailyTotals(store, span, "keyId");
      return byCost(rowsBy(totals, ({ group }) => names.get(group) ?? (group || "(no key)")));
    }
    default:
      return byCost(rowsBy(await dailyTotals(store, span, by), ({ group }) => group || `(no ${by})`));
  }
}

function dailyTotals({ events }: Store, span: Span, by?: "model" | "keyId" | "strategy" | "upstream") {
  return events.totals({ ...span, bucket: "day", ...(by !== undefined && { by }) });
}

function rowsBy(all: readonly Totals[], nameOf: (totals: Totals) => string): UsageRow[] {
  const groups = new Map<string, Totals[]>();
  for (const totals of all) {
    const name = nameOf(totals);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [totals]);
    else group.push(totals);
  }
  return [...groups].map(([name, totals]) => sumUp(name, totals));
}

function byCost(rows: readonly UsageRow[]): UsageRow[] {
  return rows.toSorted((a, b) => b.costUsd - a.costUsd || b.requests - a.requests);
}

export const DAY_MS = 24 * 60 * 60 * 1_000;

function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, "2026-01-01".length);
}

/** Weeks are named by their Monday. All times are UTC. */
const PERIOD_NAMES = table({
  day: dayOf,
  week: (atMs: number) => dayOf(atMs - ((new Date(atMs).getUTCDay() + 6) % 7) * DAY_MS),
  month: (atMs: number) => dayOf(atMs).slice(0, "2026-01".length),
});

/** Enough of a session's name to distinguish those with the same title: the beginning of a UUID, the end of others. */
export function shortId(session: string): string {
  return /^[\da-f]{8}-/.test(session) ? session.slice(0, SHORT_ID) : session.slice(-SHORT_ID);
}

const SHORT_ID = 8;

/** Returns the project, client or title of each session that was used in a span; a session without a title has its own name. */
async function sessionNames({ events }: Store, by: "project" | "client" | "session", { sinceMs }: Span) {
  const names = new Map<string, string>();
  let before: SessionPosition | undefined;
  for (let isMore = true; isMore; ) {
    const page = await events.sessions({ limit: PAGE, sinceMs, ...(before && { before }) });
    for (const summary of page) names.set(summary.session, by === "session" ? titled(summary) : summary[by]);
    before = page.at(-1);
    isMore = page.length === PAGE;
  }
  return names;
}

function titled({ title, session }: SessionDescription): string {
  return title === "" ? session : `${title} (${shortId(session)})`;
}

const PAGE = 1_000;

/** Reads the stored requests and condensations of a span as totals of one event each, with the session as their group. */
export async function eventsIn({ events }: Store, { sinceMs, untilMs }: Span): Promise<Totals[]> {
  const found: Totals[] = [];
  let before = { atMs: untilMs, id: "" };
  for (let isMore = true; isMore; ) {
    const page = await events.requests({ limit: PAGE, before });
    const inside = page.filter(({ atMs }) => atMs >= sinceMs);
    found.push(...inside.map((event) => ({ atMs: event.atMs, group: event.session, ...measuresOfRequest(event) })));
    const last = page.at(-1);
    isMore = last !== undefined && inside.length === PAGE;
    if (last !== undefined) before = { atMs: last.atMs, id: last.id };
  }
  const condensations = await events.condensations({ limit: Number.MAX_SAFE_INTEGER, sinceMs });
  const own = condensations.filter(({ atMs }) => atMs < untilMs);
  return [
    ...found,
    ...own.map((event) => ({ atMs: event.atMs, group: event.session, ...measuresOfCondensation(event) })),
  ];
}
