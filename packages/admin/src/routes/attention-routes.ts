import { attentionsSchema } from "../api/attention.ts";
import { findAttention } from "../attention/find-attention.ts";
import { type AdminContext, type Route, route } from "./route.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** The most rows that are read of each kind. */
const MAX_SESSIONS = 500;
const MAX_KEYS = 200;
const MAX_FAILURES = 10;

export const ATTENTION_ROUTES: readonly Route[] = [
  route("GET", "/attention", {
    summary:
      "Lists what needs attention: failing upstreams, undelivered alerts, keys near their limits, full windows, lost caches, errors.",
    answer: attentionsSchema,
    run: async (_, context) => {
      const { store, nowMs, alerts } = context;
      const untilMs = nowMs() + 1;
      const dayAgo = untilMs - DAY_MS;
      const [sessions, turns, lately, failures, keys] = await Promise.all([
        store.events.sessions({ limit: MAX_SESSIONS, sinceMs: dayAgo }),
        store.events.latestTurns(dayAgo),
        store.events.failures({ sinceMs: untilMs - HOUR_MS, untilMs }),
        latestFailures({ sinceMs: dayAgo, untilMs }, context),
        limitedKeys(context),
      ]);
      const openCircuits = openCircuitsOf(context);
      const facts = { sessions, turns, lately, failures, openCircuits, keys, alertFailure: alerts.failure() };
      return { rows: [...findAttention(facts)] };
    },
  }),
];

async function latestFailures(span: { readonly sinceMs: number; readonly untilMs: number }, { store }: AdminContext) {
  const failures = (await store.events.failures(span)).slice(0, MAX_FAILURES);
  return await Promise.all(
    failures.map(async (each) => {
      const { upstream, errorCode } = each;
      const [latest] = await store.events.requests({ ...span, upstream, errorCode, hasFailed: true, limit: 1 });
      return { ...each, latest };
    }),
  );
}

async function limitedKeys({ store, nowMs }: AdminContext) {
  const keys = await store.keys.list();
  const limited = keys.filter(
    ({ limits, revokedAtMs }) => revokedAtMs === undefined && (limits.usdPerDay ?? limits.usdPerMonth) !== undefined,
  );
  const shown = limited.slice(0, MAX_KEYS);
  return await Promise.all(shown.map(async (key) => ({ key, used: await store.limits.used(key.id, nowMs()) })));
}

function openCircuitsOf({ snapshots }: AdminContext): readonly string[] {
  const all = [...snapshots.current().handles];
  return all.flatMap(([name, behind]) => (behind.some(({ circuit }) => circuit.isOpen) ? [name] : []));
}
