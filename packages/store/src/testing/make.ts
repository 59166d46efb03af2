import { PROJECTION_VERSION, type Projection } from "@longhaul/condense/advanced";
import { textBlock } from "@longhaul/conversation";
import type { Lease } from "../contract/coordination.ts";
import type { CondensationEvent, Content, RequestEvent, SessionSummary, Totals } from "../contract/events.ts";
import type { LimitEntry, StoredKey } from "../contract/keys.ts";
import type { SettingsChange, StoredPreset } from "../contract/settings.ts";
import type { Epoch, FrontName, LearnedWindow, StoredCalibration } from "../contract/store.ts";

/** A projection that replaces all but the last message by a summary. */
export function makeProjection(messages = 10): Projection {
  return {
    version: PROJECTION_VERSION,
    messages,
    entries: [
      {
        kind: "made",
        from: 0,
        to: messages - 1,
        message: { role: "assistant", blocks: [textBlock(`Summary of the first ${messages - 1} messages.`)] },
      },
      { kind: "keep", from: messages - 1, to: messages },
    ],
  };
}

/** A projection of an older version. */
export function makeOldProjection(messages = 10): Projection {
  return JSON.parse(JSON.stringify({ ...makeProjection(messages), version: PROJECTION_VERSION - 1 }));
}

/** An epoch of one tenant's only session. */
export function makeEpoch(fields: Partial<Epoch> = {}): Epoch {
  return {
    scope: "scope",
    prefix: "prefix",
    bound: "",
    evidence: { head: "", through: fields.projection?.messages ?? 10, messages: [] },
    tenant: "tenant",
    session: "session",
    upstream: "claude",
    model: "claude-opus-4-6",
    strategy: "native",
    from: 0,
    projection: makeProjection(),
    isPlaceholder: false,
    tokensBefore: 180_000,
    tokensAfter: 21_300,
    targetTokens: 100_000,
    costUsd: 0.0123,
    madeAtMs: 1_760_000_000_000,
    ...fields,
  };
}

/** The beginning of a body. */
export function makeFront(fields: Partial<FrontName> = {}): FrontName {
  return { key: "key", rest: "rest", bytes: 70_000, ...fields };
}

/** A window learned at time 0. */
export function makeWindow(fields: Partial<LearnedWindow> = {}): LearnedWindow {
  return {
    upstream: "local",
    credential: "c0ffee",
    model: "small-model",
    windowTokens: 32_768,
    learnedAtMs: 0,
    ...fields,
  };
}

/** A calibration that has learned from one reply. */
export function makeCalibration(fields: Partial<StoredCalibration> = {}): StoredCalibration {
  return {
    upstream: "claude",
    model: "claude-opus-4-6",
    state: { ratio: 1.25, tokens: 2_000, learnt: 1, ignored: 0 },
    ...fields,
  };
}

/** A change of one setting. */
export function makeSettingsChange(fields: Partial<SettingsChange> = {}): SettingsChange {
  return { entries: [{ path: "context.strategy", value: "smart" }], by: "ada", atMs: 5, ...fields };
}

/** A preset with a configuration. */
export function makePreset(fields: Partial<StoredPreset> = {}): StoredPreset {
  return {
    name: "careful",
    description: "Keeps the most",
    strategy: "smart",
    config: { references: "results" },
    changedAtMs: 1_760_000_000_000,
    ...fields,
  };
}

/** A key without limits. */
export function makeKey(fields: Partial<StoredKey> = {}): StoredKey {
  return {
    id: "id",
    name: "laptop",
    hash: "hash",
    hint: "lh-3f9a",
    tenant: "tenant",
    models: [],
    limits: {},
    context: {},
    createdAtMs: 1_760_000_000_000,
    ...fields,
  };
}

/** A request of a key without limits, from time 0 for a minute. */
export function makeLimitEntry(fields: Partial<LimitEntry> = {}): LimitEntry {
  return { keyId: "key", requestId: "request", limits: {}, nowMs: 0, expiresAtMs: 60_000, ...fields };
}

/** A lease of one second. */
export function makeLease(fields: Partial<Lease> = {}): Lease {
  return { name: "summary", holder: "holder", nowMs: 0, untilMs: 1_000, ...fields };
}

/** The content of a request that was sent unchanged. */
export function makeContent(fields: Partial<Content> = {}): Content {
  return {
    requestId: "request",
    tenant: "tenant",
    session: "session",
    atMs: 1_760_000_000_000,
    wire: "anthropic-messages",
    sentWire: "openai-chat",
    before: new Uint8Array([31, 139, 0, 255]),
    ...fields,
  };
}

/** A successful request that was sent unchanged. */
export function makeRequestEvent(fields: Partial<RequestEvent> = {}): RequestEvent {
  return {
    id: "request",
    atMs: 1_760_000_000_000,
    tenant: "tenant",
    keyId: "key",
    session: "session",
    parent: "",
    wire: "anthropic-messages",
    action: "generate",
    model: "opus",
    sentAs: "claude-opus-4-6",
    upstream: "claude",
    status: 200,
    errorCode: "",
    errorMessage: "",
    isGone: false,
    ms: 2_150.5,
    firstByteMs: 640.25,
    addedMs: 3.5,
    attempts: 1,
    inputTokens: 12,
    cacheReadTokens: 9_000,
    cacheWriteTokens: 400,
    outputTokens: 350,
    reasoningTokens: 120,
    windowTokens: 200_000,
    originalTokens: 9_412,
    sentTokens: 9_412,
    strategy: "",
    origin: "",
    costUsd: 0.25,
    savedUsd: 0,
    deduplicatedUsd: 0,
    cachedUsd: 0,
    copiedMarks: 0,
    warnings: [],
    anatomy: { system: 400, text: 9_012 },
    ...fields,
  };
}

/** A condensation with one summary. */
export function makeCondensationEvent(fields: Partial<CondensationEvent> = {}): CondensationEvent {
  return {
    id: "condensation",
    requestId: "request",
    atMs: 1_760_000_000_000,
    tenant: "tenant",
    keyId: "key",
    session: "session",
    upstream: "claude",
    model: "opus",
    strategy: "native",
    tokensBefore: 180_000,
    tokensAfter: 21_300,
    costUsd: 0.125,
    estimatedUsd: 0.1,
    ms: 4_000.5,
    report: { edits: 2, passes: [{ id: "summary" }] },
    ...fields,
  };
}

/** The session of one request and its condensation. */
export function makeSession(fields: Partial<SessionSummary> = {}): SessionSummary {
  return {
    tenant: "tenant",
    session: "session",
    parent: "",
    firstAtMs: 1_760_000_000_000,
    lastAtMs: 1_760_000_000_000,
    requests: 1,
    errors: 0,
    condensations: 1,
    costUsd: 0.375,
    savedUsd: -0.125,
    title: "",
    project: "",
    branch: "",
    client: "",
    clientVersion: "",
    keyId: "key",
    model: "opus",
    upstream: "claude",
    strategy: "",
    windowTokens: 200_000,
    originalTokens: 9_412,
    sentTokens: 9_412,
    ...fields,
  };
}

/** The totals of one request. */
export function makeTotals(fields: Partial<Totals> = {}): Totals {
  return {
    atMs: 0,
    group: "",
    requests: 1,
    errors: 0,
    fallbacks: 0,
    overWindow: 0,
    inputTokens: 12,
    cacheReadTokens: 9_000,
    cacheWriteTokens: 400,
    outputTokens: 350,
    savedTokens: 0,
    costUsd: 0.25,
    savedUsd: 0,
    deduplicatedUsd: 0,
    cachedUsd: 0,
    addedMs: 3.5,
    condensations: 0,
    condensingUsd: 0,
    ...fields,
  };
}
