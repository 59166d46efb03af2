import { telemetryName } from "@longhaul/models/kinds";
import type { CondensationEvent } from "@longhaul/store";
import type { EndedRequest } from "../events/observer.ts";
import { operationName } from "./operation-name.ts";
import type { AttributeValue, Span } from "./otlp.ts";
import type { SpanPlace } from "./traceparent.ts";

/** A request as a span, in the words of OpenTelemetry's conventions for generative AI and our own. Nothing that anybody said is in it. */
export function requestSpan({ event, platform }: EndedRequest, place: SpanPlace): Span {
  const operation = operationName(event);
  const isError = event.status >= 400 || event.errorCode !== "";
  return {
    place,
    name: event.model === "" ? operation : `${operation} ${event.model}`,
    kind: "client",
    startMs: event.atMs,
    endMs: event.atMs + event.ms,
    isError,
    attributes: known({
      "gen_ai.operation.name": operation,
      "gen_ai.provider.name": telemetryName(platform),
      "gen_ai.request.model": event.model,
      "gen_ai.response.model": event.sentAs,
      "gen_ai.conversation.id": event.session,
      // The conventions want it told only where it is true.
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
    }),
  };
}

/** A condensation as a span inside that of its request. */
export function condensationSpan(event: CondensationEvent, place: SpanPlace): Span {
  return {
    place,
    name: `condense ${event.strategy}`,
    kind: "internal",
    startMs: event.atMs - event.ms,
    endMs: event.atMs,
    isError: false,
    attributes: known({
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

/** Texts are empty where nothing is known. */
function known(attributes: Readonly<Record<string, AttributeValue>>): Record<string, AttributeValue> {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== ""));
}
