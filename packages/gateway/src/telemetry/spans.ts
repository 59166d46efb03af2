import { randomBytes } from "node:crypto";
import { LruMap } from "@longhaul/conversation/advanced";
import { telemetryName } from "@longhaul/models/kinds";
import type { CondensationEvent } from "@longhaul/store";
import { findCodec } from "@longhaul/wire";
import type { EndedRequest, Observer } from "../events/observer.ts";
import type { AttributeValue, Span, SpanContext } from "./otlp.ts";

/** Requests whose condensations may still be running, or finished before the request did. */
const MAX_REMEMBERED = 1_000;

/** Sends one span per request, and inside it one per condensation that the request started. */
export function openSpans(send: (span: Span) => void): Observer {
  const contexts = new LruMap<SpanContext>(MAX_REMEMBERED);
  const early = new LruMap<readonly CondensationEvent[]>(MAX_REMEMBERED);
  const sendChild = (condensation: CondensationEvent, parent: SpanContext) => {
    if (parent.isSampled) send(condensationSpan(condensation, childSpan(parent)));
  };
  return {
    finished: (request) => {
      const { id } = request.event;
      const context = newSpan(request.traceparent);
      contexts.set(id, context);
      if (context.isSampled) send(requestSpan(request, context));
      for (const condensation of early.get(id) ?? []) sendChild(condensation, context);
      early.delete(id);
    },
    condensed: (condensation) => {
      const { requestId } = condensation;
      const context = contexts.get(requestId);
      if (context === undefined) early.set(requestId, [...(early.get(requestId) ?? []), condensation]);
      else sendChild(condensation, context);
    },
  };
}

/** Describes a request by OpenTelemetry's conventions for generative AI and our own attributes. It contains no message text. */
export function requestSpan({ event, platform }: EndedRequest, context: SpanContext): Span {
  const operation = operationName(event);
  const isError = event.status >= 400 || event.errorCode !== "";
  return {
    context,
    name: event.model === "" ? operation : `${operation} ${event.model}`,
    kind: "client",
    startMs: event.atMs,
    endMs: event.atMs + event.ms,
    isError,
    attributes: withoutEmpty({
      "gen_ai.operation.name": operation,
      "gen_ai.provider.name": telemetryName(platform),
      "gen_ai.request.model": event.model,
      "gen_ai.response.model": event.sentAs,
      "gen_ai.conversation.id": event.session,
      // The conventions allow this attribute only with the value true.
      "gen_ai.conversation.compacted": event.strategy !== "" || "",
      "gen_ai.response.time_to_first_chunk": event.firstByteMs / 1_000,
      "gen_ai.usage.input_tokens": event.inputTokens + event.cacheReadTokens + event.cacheWriteTokens,
      "gen_ai.usage.output_tokens": event.outputTokens,
      "gen_ai.usage.cache_read.input_tokens": event.cacheReadTokens,
      "gen_ai.usage.cache_creation.input_tokens": event.cacheWriteTokens,
      "gen_ai.usage.reasoning.output_tokens": event.reasoningTokens,
      "http.response.status_code": event.status,
      "error.type": isError ? event.errorCode || `${event.status}` : "",
      "longhaul.request.id": event.id,
      "longhaul.key.id": event.keyId,
      "longhaul.wire": event.wire,
      "longhaul.upstream": event.upstream,
      "longhaul.attempts": event.attempts,
      "longhaul.added_ms": event.addedMs,
      "longhaul.window.tokens": event.windowTokens,
      "longhaul.original.tokens": event.originalTokens,
      "longhaul.sent.tokens": event.sentTokens,
      "longhaul.strategy": event.strategy,
      "longhaul.origin": event.origin,
      "longhaul.cost.usd": event.costUsd,
      "longhaul.saved.usd": event.savedUsd,
      "longhaul.copied_marks": event.copiedMarks,
    }),
  };
}

/** Describes a condensation as a child of its request's span. */
export function condensationSpan(event: CondensationEvent, context: SpanContext): Span {
  return {
    context,
    name: `condense ${event.strategy}`,
    kind: "internal",
    startMs: event.atMs - event.ms,
    endMs: event.atMs,
    isError: false,
    attributes: withoutEmpty({
      "gen_ai.conversation.id": event.session,
      "gen_ai.request.model": event.model,
      "longhaul.request.id": event.requestId,
      "longhaul.upstream": event.upstream,
      "longhaul.strategy": event.strategy,
      "longhaul.original.tokens": event.tokensBefore,
      "longhaul.sent.tokens": event.tokensAfter,
      "longhaul.cost.usd": event.costUsd,
    }),
  };
}

function withoutEmpty(attributes: Readonly<Record<string, AttributeValue>>): Record<string, AttributeValue> {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== ""));
}

/** Returns OpenTelemetry's name for the operation that a request asked for. */
export function operationName({ wire, action }: { readonly wire: string; readonly action: string }): string {
  return action === "generate" || action === "aside" ? (findCodec(wire)?.api.operation ?? "chat") : action;
}

const TRACEPARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})(?<trace>[0-9a-f]{32})-(?!0{16})(?<parent>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})/;

/** Starts a span in the trace that a valid `traceparent` header names, otherwise in a new trace. */
export function newSpan(traceparent: string | undefined): SpanContext {
  const { trace, parent, flags } = TRACEPARENT.exec(traceparent?.trim() ?? "")?.groups ?? {};
  const spanId = randomId(8);
  if (trace === undefined || parent === undefined) return { traceId: randomId(16), spanId, isSampled: true };
  return { traceId: trace, spanId, parentSpanId: parent, isSampled: (Number.parseInt(flags ?? "", 16) & 1) === 1 };
}

/** Starts a span inside another one. */
export function childSpan({ traceId, spanId, isSampled }: SpanContext): SpanContext {
  return { traceId, spanId: randomId(8), parentSpanId: spanId, isSampled };
}

function randomId(bytes: number): string {
  return randomBytes(bytes).toString("hex");
}
