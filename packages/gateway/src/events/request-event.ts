import { NO_USAGE, promptTokens, type Usage } from "@longhaul/conversation";
import { type CondensedNote, cleanName, type SizedNote } from "@longhaul/fit";
import { costOf, type Model } from "@longhaul/models";
import type { RequestEvent } from "@longhaul/store";
import type { Endpoint } from "../http/endpoints.ts";
import type { Notes } from "../record.ts";
import type { EndedRequest } from "./observer.ts";

/** How a request ended, as whoever answered it knows. */
export interface Ending {
  readonly id: string;
  readonly endpoint: Endpoint;
  /** When it came, by the calendar. */
  readonly atMs: number;
  readonly status: number;
  /** How long it took until all of the answer was sent. */
  readonly ms: number;
  readonly usage: Usage | undefined;
  /** Takes out of a text what looks like a credential: clients name models and sessions as they like. */
  readonly redact: (text: string) => string;
}

/** What is told of a request that is over. */
export function endedRequest(ending: Ending, notes: Notes): EndedRequest {
  const { served, received, sent } = notes;
  return {
    event: requestEvent(ending, notes),
    platform: served?.model.platform ?? "",
    family: served === undefined || UNLISTED.has(served.matchedBy) ? "" : served.model.name,
    received,
    sent,
  };
}

/** How names are read that no catalog lists. */
const UNLISTED = new Set<string>(["family", "default"]);

function requestEvent(ending: Ending, notes: Notes): RequestEvent {
  const { id, endpoint, atMs, status, redact } = ending;
  const { identity, model = "", sentAs = "", upstream = "", error, isGone = false, warnings = [], sized } = notes;
  const named = (text: string) => (text === "" ? "" : redact(cleanName(text)));
  return {
    id,
    atMs,
    tenant: identity?.tenant ?? "",
    keyId: identity?.keyId ?? "",
    session: named(sized?.session ?? ""),
    parent: named(sized?.parent ?? ""),
    wire: endpoint.wire,
    action: endpoint.action,
    model: named(model),
    sentAs: named(sentAs),
    upstream,
    status,
    errorCode: error?.code ?? "",
    isGone,
    ...times(ending, notes),
    attempts: notes.attempts ?? 0,
    ...tokens(ending.usage),
    windowTokens: sized?.windowTokens ?? 0,
    originalTokens: sized?.originalTokens ?? 0,
    sentTokens: sized?.sentTokens ?? 0,
    strategy: notes.condensed?.strategy ?? "",
    origin: notes.condensed?.origin ?? "",
    ...money(ending.usage, notes),
    warnings: warnings.slice(0, MAX_WARNINGS).map(({ feature }) => named(feature)),
    anatomy: sized?.anatomy() ?? {},
  };
}

const MAX_WARNINGS = 50;

/**
 * What we added is the time from the last byte of the request to the first byte of the answer in which no upstream was waited for. Waiting
 * for a summary is not waiting for an upstream: without us nobody would have.
 */
function times({ ms }: Ending, { receivedMs = 0, firstByteMs = ms, waitedMs = 0 }: Notes) {
  const addedMs = Math.max(0, firstByteMs - receivedMs - waitedMs);
  return { ms: Math.round(ms), firstByteMs: Math.round(firstByteMs), addedMs: Math.round(addedMs * 100) / 100 };
}

function tokens({ inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, ...usage }: Usage = NO_USAGE) {
  const { reasoningTokens = 0 } = usage;
  return { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens };
}

function money(usage: Usage | undefined, { served, sized, condensed }: Notes) {
  const prices = served?.model.prices;
  if (usage === undefined || served === undefined || prices === undefined) return { costUsd: 0, savedUsd: 0 };
  const costUsd = costOf(usage, prices);
  if (condensed === undefined || sized === undefined) return { costUsd, savedUsd: 0 };
  return { costUsd, savedUsd: savedUsd(usage, served.model, { ...sized, origin: condensed.origin }) };
}

/** What condensing did to a request. */
export interface Condensing extends Pick<SizedNote, "originalTokens" | "sentTokens" | "windowTokens" | "warmTokens"> {
  readonly origin: CondensedNote["origin"];
}

/**
 * What a request would have cost more as it came. What was left out stood at the beginning of the prompt, so it would have been billed as
 * the beginning was: read from the cache where there was something to read. A request that was condensed just now has lost its cache
 * instead: it is held against what would have been read. No more is counted than the window takes, because no more could have been sent.
 */
export function savedUsd(usage: Usage, { prices, accounting }: Model, condensing: Condensing): number {
  if (prices === undefined) return 0;
  const caches = usage.cacheReadTokens + usage.cacheWriteTokens > 0 || accounting === "inclusive";
  return costOf(usageAsItCame(usage, condensing, caches), prices) - costOf(usage, prices);
}

/** What the vendor would have reported. `caches` says whether it keeps prompts for this client at all. */
function usageAsItCame(usage: Usage, condensing: Condensing, caches: boolean): Usage {
  const { originalTokens, sentTokens, windowTokens, warmTokens, origin } = condensing;
  const gone = Math.max(0, Math.min(originalTokens, windowTokens) - sentTokens);
  const prompt = promptTokens(usage) + gone;
  const { cacheReadTokens: read, cacheWriteTokens: write, cacheWriteHourTokens: hour = 0 } = usage;
  const kept = origin === "reused" ? (read > 0 ? read + gone : 0) : Math.max(read, caches ? warmTokens : 0);
  const cacheReadTokens = Math.min(kept, prompt);
  const fresh = prompt - cacheReadTokens;
  const wasFresh = usage.inputTokens + write;
  const share = (part: number) => (wasFresh === 0 ? 0 : (fresh * part) / wasFresh);
  const cacheWriteTokens = share(write);
  const inputTokens = fresh - cacheWriteTokens;
  return { ...usage, inputTokens, cacheReadTokens, cacheWriteTokens, cacheWriteHourTokens: share(hour) };
}
