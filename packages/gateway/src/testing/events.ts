import type { CondensationEvent, RequestEvent } from "@longhaul/store";
import type { EndedRequest } from "../events/observer.ts";

/** A request that is over. */
export function makeRequestEvent(fields: Partial<RequestEvent> = {}): RequestEvent {
  return {
    id: "lh_1",
    atMs: 1_000,
    tenant: "",
    keyId: "",
    session: "talk",
    wire: "anthropic-messages",
    action: "generate",
    model: "claude-opus-4-6",
    sentAs: "claude-opus-4-6",
    upstream: "up",
    status: 200,
    errorCode: "",
    isGone: false,
    ms: 900,
    firstByteMs: 400,
    addedMs: 3,
    attempts: 1,
    inputTokens: 10,
    cacheReadTokens: 1_000,
    cacheWriteTokens: 100,
    outputTokens: 50,
    reasoningTokens: 20,
    windowTokens: 200_000,
    originalTokens: 1_110,
    sentTokens: 1_110,
    strategy: "",
    origin: "",
    costUsd: 0.01,
    savedUsd: 0,
    warnings: [],
    anatomy: { text: 1_110 },
    ...fields,
  };
}

/** The same as observers are told of it. */
export function makeFinished(fields: Partial<RequestEvent> = {}, more: Partial<EndedRequest> = {}): EndedRequest {
  return { event: makeRequestEvent(fields), platform: "anthropic", family: "claude-opus-4-6", ...more };
}

/** A condensation. */
export function makeCondensation(fields: Partial<CondensationEvent> = {}): CondensationEvent {
  return {
    id: "lhc_1",
    requestId: "lh_1",
    atMs: 1_000,
    tenant: "",
    keyId: "",
    session: "talk",
    upstream: "up",
    model: "claude-opus-4-6",
    strategy: "native",
    tokensBefore: 150_000,
    tokensAfter: 50_000,
    costUsd: 0.02,
    estimatedUsd: 0,
    ms: 3_000,
    report: {},
    ...fields,
  };
}
