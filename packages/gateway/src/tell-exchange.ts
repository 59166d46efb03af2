import { LonghaulError, type Usage } from "@longhaul/conversation";
import { cleanName, redactLookalikes } from "@longhaul/fit";
import { messageForOperators } from "@longhaul/upstream";
import type { Observer } from "./events/observer.ts";
import { endedRequest } from "./events/request-event.ts";
import type { Exchange } from "./exchange.ts";
import type { Endpoint } from "./http/endpoints.ts";

/** Tells of a request that is over: those who learn from it, the log, and whoever else wants to know. */
export function tellExchange(exchange: Exchange, endpoint: Endpoint | undefined, observer?: Observer): void {
  const { usage, learn } = exchange.notes();
  const used = usage?.();
  if (used !== undefined) learn?.(used);
  const ms = performance.now() - exchange.startedMs;
  logExchange(exchange, { endpoint, used, ms });
  if (endpoint !== undefined) observer?.finished(finishedOf(exchange, { endpoint, used, ms }));
}

interface Ended {
  readonly endpoint: Endpoint | undefined;
  readonly used: Usage | undefined;
  readonly ms: number;
}

function finishedOf(exchange: Exchange, { endpoint, used, ms }: Ended & { readonly endpoint: Endpoint }) {
  const { id, atMs, request, response, snapshot, notes } = exchange;
  const redact = (text: string) => redactLookalikes(snapshot.redact(text));
  const ending = { id, endpoint, atMs, status: response.statusCode, ms, usage: used, redact };
  const { traceparent } = request.headers;
  return { ...endedRequest(ending, notes()), traceparent: [traceparent].flat()[0] };
}

function logExchange({ id, response, snapshot, notes }: Exchange, { endpoint, used, ms }: Ended): void {
  const { error, model, sentAs, upstream, promptTokens, warnings = [], firstByteMs, isGone } = notes();
  const { condensed, observed, isWindowExceeded } = notes();
  snapshot.log.finished({
    id,
    wire: endpoint?.wire,
    action: endpoint?.action,
    model: model && cleanName(model),
    upstream,
    sentAs: sentAs === model ? undefined : sentAs,
    status: response.statusCode,
    ms: Math.round(ms),
    firstByteMs: firstByteMs === undefined ? undefined : Math.round(firstByteMs),
    promptTokens,
    usage: used,
    condensed,
    observed,
    isWindowExceeded: isWindowExceeded?.() === true ? true : undefined,
    warnings: warnings.length === 0 ? undefined : warnings.map(({ feature }) => feature),
    error: error?.code,
    why: error !== undefined && isInOurWords(error) ? messageForOperators(error) : undefined,
    isGone: isGone === true ? true : undefined,
  });
  if (error?.code === "internal.bug") snapshot.log.bug(error.cause ?? error, id);
}

/** Other errors quote what a client or an upstream said. */
function isInOurWords({ code, cause }: LonghaulError): boolean {
  if (code === "upstream.timeout") return cause instanceof Error;
  if (code === "upstream.broken") return cause === undefined || isOfSystem(cause);
  return /^(limit|route|auth)\.|^upstream\.unreachable$/.test(code);
}

/** A parser's error quotes what it could not parse, and so does ours. */
function isOfSystem(cause: unknown): boolean {
  return cause instanceof Error && !(cause instanceof SyntaxError || cause instanceof LonghaulError);
}
