import type { Report } from "@longhaul/condense";
import { type JsonObject, LonghaulError } from "@longhaul/conversation";
import { cleanName, type FitRequest, record as recordUsage, redactLookalikes } from "@longhaul/fit";
import type { CondensationEvent } from "@longhaul/store";
import { messageForOperators } from "@longhaul/upstream";
import { storedMessage } from "../logging/stored-message.ts";
import type { Call, Received, RequestContext } from "../request/request-context.ts";
import { makeRequestId } from "../request/request-record.ts";
import { type Ending, endedRequest } from "./request-event.ts";
import { Refusal } from "./send.ts";

type RecordContext = Pick<RequestContext, "record" | "snapshot" | "observer" | "signal">;

/**
 * Calibrates the token counts with the reported usage, writes the log line, and hands the event to the observers: database, metrics, spans,
 * stored contents and limits. Runs when the answer is finished, so it never throws: a failure is logged.
 */
export function record(context: RecordContext, status: number): void {
  const { record: facts, snapshot, observer } = context;
  try {
    const usage = facts.usage?.();
    const isAnswered = usage !== undefined || (status === 200 && facts.error === undefined);
    if (isAnswered && facts.calibration !== undefined) recordUsage(facts.calibration, usage);
    const ending = { status, ms: performance.now() - facts.startedMs, usage, isGone: context.signal.aborted };
    logRequest(ending, context);
    const { endpoint, error } = facts;
    if (endpoint === undefined) return;
    if (error !== undefined && isInOurWords(error)) facts.errorMessage ??= messageForOperators(error);
    const redact = (text: string) => redactLookalikes(snapshot.redact(text));
    const hasTitles = snapshot.config.events.titles;
    observer?.finished(endedRequest({ ...ending, endpoint, redact, hasTitles }, facts));
  } catch (error) {
    snapshot.log.bug(error, facts.id);
  }
}

/** Records the message of an error, unless it quotes the request. */
export function recordMessage(
  error: unknown,
  request: Pick<Received, "headers" | "body">,
  { record: facts, snapshot }: Pick<RequestContext, "record" | "snapshot">,
): void {
  const failure = error instanceof Refusal ? error.error : error;
  if (failure instanceof LonghaulError) facts.errorMessage = storedMessage(failure, request, snapshot.redact);
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
    copiedMarks: facts.copiedMarks?.() || undefined,
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

interface Condensation {
  /** The fitting that it was made for. */
  readonly fitRequest: Pick<FitRequest, "destination" | "tenant" | "session">;
  /** Equal sizes if it had no result. */
  readonly report: Report;
  readonly estimatedUsd: number;
}

/**
 * Writes the log line of a condensation and hands its event to the observers. Also for one without a result, which may have cost something.
 * May run after the request is finished.
 */
export function recordCondensation(
  { id: requestId, caller }: Pick<Call, "id" | "caller">,
  { fitRequest, report, estimatedUsd }: Condensation,
  { memory, snapshot, observer }: Pick<RequestContext, "memory" | "snapshot" | "observer">,
): void {
  const { destination, tenant, session } = fitRequest;
  const { model, handle } = destination;
  const { strategy, tokensBefore, tokensAfter, costUsd = 0, milliseconds = 0 } = report;
  const upstream = handle.connection.upstream.id;
  const figures = { upstream, strategy, tokensBefore, tokensAfter, costUsd, ms: Math.round(milliseconds) };
  const warnings = report.warnings.length === 0 ? undefined : report.warnings;
  snapshot.log.condensed({ id: requestId, model, ...figures, estimatedUsd, warnings });
  const event: CondensationEvent = {
    id: makeRequestId(),
    requestId,
    keyId: caller.key?.keyId ?? "",
    atMs: memory.fitting.nowMs(),
    tenant,
    session: cleanName(session),
    model: cleanName(model),
    ...figures,
    estimatedUsd,
    report: withoutTexts(report),
  };
  observer?.condensed(event);
}

/** Returns a report without the reasons of failures and the facts, which may quote the conversation. */
function withoutTexts({ passes, fallbacks, warnings, ...report }: Report): JsonObject {
  return {
    ...report,
    passes: passes.map(({ why: _, facts, operations, ...pass }) => ({
      ...pass,
      operations: { ...operations },
      ...(facts !== undefined && { facts: { ...facts, putBack: facts.putBack.length } }),
    })),
    fallbacks: fallbacks.map(({ strategy }) => strategy),
    warnings: warnings.length,
  };
}
