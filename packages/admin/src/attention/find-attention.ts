import type { Failures, KeyUse, LatestTurn, RequestEvent, SessionSummary, StoredKey } from "@longhaul/store";
import { ATTENTION_KINDS, type AttentionAnswer } from "../api/attention.ts";

/** Everything that the rows are made from. */
export interface AttentionFacts {
  /** Sessions that were used lately. */
  readonly sessions: readonly SessionSummary[];
  readonly turns: readonly LatestTurn[];
  /** Failures of the last hour, for upstreams. */
  readonly lately: readonly Failures[];
  /** Failures of the last day, each with its latest request. */
  readonly failures: readonly (Failures & { readonly latest?: RequestEvent | undefined })[];
  readonly openCircuits: readonly string[];
  /** Why the last budget alert was not delivered. */
  readonly alertFailure?: string | undefined;
  readonly keys: readonly { readonly key: StoredKey; readonly used: KeyUse }[];
}

/** Lists what needs attention, the most urgent first. */
export function findAttention(facts: AttentionFacts): readonly AttentionAnswer[] {
  const upstreams = failingUpstreams(facts);
  const failing = new Set(upstreams.map(({ upstream }) => upstream));
  const rows = [
    ...upstreams,
    ...failedAlerts(facts),
    ...nearLimits(facts),
    ...nearWindows(facts),
    ...lostCaches(facts),
    ...errors(facts).filter(({ upstream, errorCode }) => !(failing.has(upstream) && isOutage(errorCode))),
  ];
  const rank = ({ kind }: AttentionAnswer) => ATTENTION_KINDS.indexOf(kind);
  return rows.sort((left, right) => rank(left) - rank(right) || right.lastAtMs - left.lastAtMs);
}

const NOTHING = {
  ...{ tenant: "", session: "", title: "", upstream: "", errorCode: "", errorMessage: "", requestId: "" },
  ...{ keyId: "", name: "", limit: "", isCircuitOpen: false, count: 0, share: 0, max: 0, lastAtMs: 0 },
};

function failedAlerts({ alertFailure: errorMessage }: AttentionFacts): AttentionAnswer[] {
  return errorMessage === undefined ? [] : [{ ...NOTHING, kind: "alert" as const, errorMessage }];
}

/** From this share of its window on, a session is near it. */
const NEAR_WINDOW = 0.9;

function nearWindows({ sessions }: AttentionFacts): AttentionAnswer[] {
  return sessions.flatMap(({ tenant, session, title, sentTokens, windowTokens, lastAtMs }) => {
    const share = windowTokens === 0 ? 0 : sentTokens / windowTokens;
    if (share < NEAR_WINDOW) return [];
    return [{ ...NOTHING, kind: "window" as const, tenant, session, title, share, max: windowTokens, lastAtMs }];
  });
}

/** Vendors do not cache shorter prompts. */
const MIN_CACHED_TOKENS = 4_096;
const WAS_READ = 0.5;
const IS_LOST = 0.1;

function lostCaches({ sessions, turns }: AttentionFacts): AttentionAnswer[] {
  return sessions.flatMap(({ tenant, session, title, lastAtMs }) => {
    const own = turns.filter((turn) => turn.session === session && turn.tenant === tenant);
    if (!hasLostCache(own)) return [];
    const share = Math.max(...own.slice(2).map(readShare));
    return [{ ...NOTHING, kind: "cache" as const, tenant, session, title, share, lastAtMs }];
  });
}

/** Whether two turns in a row read nothing from the prompt cache although an earlier one did; turns are latest first. */
export function hasLostCache(turns: readonly LatestTurn[]): boolean {
  const [last, previous, ...earlier] = turns;
  if (last === undefined || previous === undefined || last.origin === "new") return false;
  const isLost = (turn: LatestTurn) => promptOf(turn) >= MIN_CACHED_TOKENS && readShare(turn) < IS_LOST;
  return isLost(last) && isLost(previous) && earlier.some((turn) => readShare(turn) >= WAS_READ);
}

function promptOf({ inputTokens, cacheReadTokens, cacheWriteTokens }: LatestTurn): number {
  return inputTokens + cacheReadTokens + cacheWriteTokens;
}

function readShare(turn: LatestTurn): number {
  return turn.cacheReadTokens / Math.max(1, promptOf(turn));
}

/** One failure may be chance. */
const MIN_FAILURES = 3;

/** Failures that are the upstream's own; others are about the request or a key. */
function isOutage(errorCode: string): boolean {
  return /^upstream\.(?:busy|broken|unreachable|timeout)$/.test(errorCode);
}

function failingUpstreams({ lately, openCircuits, failures }: AttentionFacts): AttentionAnswer[] {
  const outages = lately.filter(({ upstream, errorCode }) => upstream !== "" && isOutage(errorCode));
  const names = new Set([...openCircuits, ...outages.map(({ upstream }) => upstream)]);
  return [...names].flatMap((upstream) => {
    const own = outages.filter((each) => each.upstream === upstream);
    const count = own.reduce((sum, { requests }) => sum + requests, 0);
    const isCircuitOpen = openCircuits.includes(upstream);
    if (!isCircuitOpen && count < MIN_FAILURES) return [];
    const errorCode = own[0]?.errorCode ?? "";
    const latest = failures.find((each) => each.upstream === upstream && each.errorCode === errorCode)?.latest;
    const lastAtMs = Math.max(0, ...own.map((each) => each.lastAtMs));
    return [
      { ...NOTHING, kind: "upstream" as const, upstream, count, isCircuitOpen, errorCode, lastAtMs, ...about(latest) },
    ];
  });
}

function errors({ failures }: AttentionFacts): AttentionAnswer[] {
  return failures.map(({ upstream, errorCode, requests, lastAtMs, latest }) => ({
    ...NOTHING,
    ...{ kind: "error" as const, upstream, errorCode, count: requests, lastAtMs },
    ...about(latest),
  }));
}

function about(latest: RequestEvent | undefined) {
  return { requestId: latest?.id ?? "", errorMessage: latest?.errorMessage ?? "" };
}

/** From this share of a limit on, a key is near it. */
const NEAR_LIMIT = 0.8;

function nearLimits({ keys }: AttentionFacts): AttentionAnswer[] {
  return keys.flatMap(({ key: { id: keyId, name, limits }, used }) => {
    const spent = [
      ["usdPerMonth", used.usdThisMonth, limits.usdPerMonth],
      ["usdPerDay", used.usdToday, limits.usdPerDay],
    ] as const;
    return spent.flatMap(([limit, usd, max = 0]) => {
      const share = max === 0 ? 0 : usd / max;
      return share < NEAR_LIMIT ? [] : [{ ...NOTHING, kind: "key" as const, keyId, name, limit, share, max }];
    });
  });
}
