import { LonghaulError, NO_USAGE, promptTokens, type Usage } from "@longhaul/conversation";
import {
  type CondensedNote,
  cleanName,
  type Destination,
  record as recordUsage,
  redactLookalikes,
  type SizedNote,
} from "@longhaul/fit";
import { costOf, type Model } from "@longhaul/models";
import type { RequestEvent } from "@longhaul/store";
import { messageForOperators } from "@longhaul/upstream";
import type { EndedRequest } from "../events/observer.ts";
import type { Endpoint } from "../request/endpoints.ts";
import type { Call, RequestContext } from "../request/request-context.ts";
import type { RequestRecord } from "../request/request-record.ts";
import { promptSize } from "./fit.ts";

/** Records the prompt size by our own count, if the operator logs it. */
export async function recordPromptSize(
  call: Call,
  destination: Destination | undefined,
  context: RequestContext,
): Promise<void> {
  if (!context.snapshot.config.log.tokens || destination === undefined) return;
  context.record.promptTokens = await promptSize(call, destination, context);
}

type RecordContext = Pick<RequestContext, "record" | "snapshot" | "observer" | "signal">;

/**
 * Calibrates the token counts with the reported usage, writes the log line, and hands the event to the observers: database, metrics, spans,
 * stored contents and limits. Runs when the answer is finished, so it never throws: a failure is logged.
 */
export function record(context: RecordContext, status: number): void {
  const { record: facts, snapshot, observer } = context;
  try {
    const usage = facts.usage?.();
    if (usage !== undefined && facts.calibration !== undefined) recordUsage(facts.calibration, usage);
    const ending = { status, ms: performance.now() - facts.startedMs, usage, isGone: context.signal.aborted };
    logRequest(ending, context);
    const { endpoint } = facts;
    if (endpoint === undefined) return;
    const redact = (text: string) => redactLookalikes(snapshot.redact(text));
    observer?.finished(endedRequest({ ...ending, endpoint, redact }, facts));
  } catch (error) {
    snapshot.log.bug(error, facts.id);
  }
}

/** The facts that are known only at the end. */
interface Ending {
  readonly status: number;
  /** Time until the whole answer was sent. */
  readonly ms: number;
  readonly usage: Usage | undefined;
  /** Whether the client disconnected. */
  readonly isGone: boolean;
}

function logRequest({ status, ms, usage, isGone }: Ending, { record: facts, snapshot }: RecordContext): void {
  const { id, endpoint, error, model, sentTo, warnings, firstByteMs } = facts;
  snapshot.log.finished({
    id,
    wire: endpoint?.wire,
    action: endpoint?.action,
    model: model && cleanName(model),
    upstream: sentTo?.upstream,
    sentAs: sentTo?.model === model ? undefined : sentTo?.model,
    status,
    ms: Math.round(ms),
    firstByteMs: firstByteMs === undefined ? undefined : Math.round(firstByteMs),
    promptTokens: facts.promptTokens,
    usage,
    condensed: facts.condensed,
    observed: facts.observed,
    isWindowExceeded: facts.isWindowExceeded?.() === true ? true : undefined,
    warnings: warnings.length === 0 ? undefined : warnings.map(({ feature }) => feature),
    error: error?.code,
    why: error !== undefined && isInOurWords(error) ? messageForOperators(error) : undefined,
    isGone: isGone ? true : undefined,
  });
  if (error?.code === "internal.bug") snapshot.log.bug(error.cause ?? error, id);
}

/** Other errors quote a client or an upstream. */
function isInOurWords({ code, cause }: LonghaulError): boolean {
  if (code === "upstream.timeout") return cause instanceof Error;
  if (code === "upstream.broken") return cause === undefined || isSystemError(cause);
  return /^(limit|route|auth)\.|^upstream\.unreachable$/.test(code);
}

/** Errors of parsers, and our own, quote the text that they could not parse. */
function isSystemError(cause: unknown): boolean {
  return cause instanceof Error && !(cause instanceof SyntaxError || cause instanceof LonghaulError);
}

interface EventEnding extends Ending {
  readonly endpoint: Endpoint;
  /** Removes credentials: clients choose the names of models and sessions. */
  readonly redact: (text: string) => string;
}

/** Makes the event of a finished request, with what only some observers need. */
export function endedRequest(ending: EventEnding, facts: RequestRecord): EndedRequest {
  const { sentTo, received, sent, traceparent } = facts;
  const match = sentTo?.match;
  return {
    event: requestEvent(ending, facts),
    platform: match?.model.platform ?? "",
    family: match === undefined || UNLISTED.has(match.matchedBy) ? "" : match.model.name,
    received,
    sent,
    traceparent,
  };
}

/** How a name is matched that the catalog does not list. */
const UNLISTED = new Set<string>(["family", "default"]);

function requestEvent(ending: EventEnding, facts: RequestRecord): RequestEvent {
  const { endpoint, status, isGone, redact } = ending;
  const { id, atMs, identity, model = "", sentTo, error, warnings, sized, condensed, attempts } = facts;
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
    sentAs: named(sentTo?.model ?? ""),
    upstream: sentTo?.upstream ?? "",
    status,
    errorCode: error?.code ?? "",
    isGone,
    ...times(ending, facts),
    attempts,
    ...tokens(ending.usage),
    windowTokens: sized?.windowTokens ?? 0,
    originalTokens: sized?.originalTokens ?? 0,
    sentTokens: sized?.sentTokens ?? 0,
    strategy: condensed?.strategy ?? "",
    origin: condensed?.origin ?? "",
    ...money(ending.usage, facts),
    warnings: warnings.slice(0, MAX_WARNINGS).map(({ feature }) => named(feature)),
    anatomy: sized?.anatomy() ?? {},
  };
}

const MAX_WARNINGS = 50;

/**
 * `addedMs` is the gateway's own share of the time between the last byte of the request and the first byte of the answer. Waiting for a summary
 * counts as the gateway's own.
 */
function times({ ms }: Ending, { receivedMs = 0, firstByteMs = ms, waitedMs }: RequestRecord) {
  const addedMs = Math.max(0, firstByteMs - receivedMs - waitedMs);
  return { ms: Math.round(ms), firstByteMs: Math.round(firstByteMs), addedMs: Math.round(addedMs * 100) / 100 };
}

function tokens({ inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, ...usage }: Usage = NO_USAGE) {
  const { reasoningTokens = 0 } = usage;
  return { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens };
}

function money(usage: Usage | undefined, { sentTo, sized, condensed }: RequestRecord) {
  const model = sentTo?.match?.model;
  if (usage === undefined || model?.prices === undefined) return { costUsd: 0, savedUsd: 0 };
  const costUsd = costOf(usage, model.prices);
  if (condensed === undefined || sized === undefined) return { costUsd, savedUsd: 0 };
  return { costUsd, savedUsd: savedUsd(usage, model, { ...sized, origin: condensed.origin }) };
}

/** The sizes of a condensed request. */
export interface Condensing extends Pick<SizedNote, "originalTokens" | "sentTokens" | "windowTokens" | "warmTokens"> {
  readonly origin: CondensedNote["origin"];
}

/**
 * Returns how much more the original request would have cost. The removed part was at the beginning of the prompt, so it is priced like the
 * beginning: as a cache read if there was one. A request that was condensed just now has lost its cache, so it is compared with what would
 * have been read. No more is counted than the window holds, because no more could have been sent.
 */
export function savedUsd(usage: Usage, { prices, accounting }: Model, condensing: Condensing): number {
  if (prices === undefined) return 0;
  const caches = usage.cacheReadTokens + usage.cacheWriteTokens > 0 || accounting === "inclusive";
  return costOf(originalUsage(usage, condensing, caches), prices) - costOf(usage, prices);
}

/** Estimates the usage of the original. `caches` says whether the vendor caches prompts for this client at all. */
function originalUsage(usage: Usage, condensing: Condensing, caches: boolean): Usage {
  const { originalTokens, sentTokens, windowTokens, warmTokens, origin } = condensing;
  const removed = Math.max(0, Math.min(originalTokens, windowTokens) - sentTokens);
  const prompt = promptTokens(usage) + removed;
  const { cacheReadTokens: read, cacheWriteTokens: write, cacheWriteHourTokens: hour = 0 } = usage;
  const cached = origin === "reused" ? (read > 0 ? read + removed : 0) : Math.max(read, caches ? warmTokens : 0);
  const cacheReadTokens = Math.min(cached, prompt);
  const fresh = prompt - cacheReadTokens;
  const wasFresh = usage.inputTokens + write;
  const share = (part: number) => (wasFresh === 0 ? 0 : (fresh * part) / wasFresh);
  const cacheWriteTokens = share(write);
  const inputTokens = fresh - cacheWriteTokens;
  return { ...usage, inputTokens, cacheReadTokens, cacheWriteTokens, cacheWriteHourTokens: share(hour) };
}
