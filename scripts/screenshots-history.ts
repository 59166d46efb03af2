import type { CondensationEvent, RequestEvent, SessionDescription } from "@longhaul/store";

const HOUR_MS = 3_600_000;
const HISTORY_HOURS = 30 * 24;
const MODELS = ["claude-sonnet-4-5", "claude-opus-4-5", "gpt-5", "claude-haiku-4-5"];
/** Share of condensed requests whose condensation was new. */
const NEW_SHARE = 0.2;
const STRATEGIES = ["smart", "lossless", "native"];

/** A deterministic month of generated traffic, with less of it at night. */
export function pastRequests(keyIds: readonly string[], nowMs: number): readonly RequestEvent[] {
  const next = sequence(7);
  return Array.from({ length: HISTORY_HOURS }, (_, hour) => nowMs - (hour + 1) * HOUR_MS).flatMap((atMs) => {
    const awake = Math.max(0.05, Math.sin((Math.PI * (new Date(atMs).getHours() - 6)) / 17));
    return Array.from({ length: Math.round(9 * awake * next()) }, (_, index) =>
      pastRequest({ atMs: atMs + index * 60_000, keyId: keyIds[Math.floor(next() * keyIds.length)] ?? "", next }),
    );
  });
}

const WORK = [
  { title: "Round the tax per line, not per order", project: "/home/dev/shop", branch: "tax", client: "Claude Code" },
  { title: "Speed up the product search", project: "/home/dev/shop", branch: "main", client: "Codex" },
  { title: "Migrate the login to passkeys", project: "/home/dev/accounts", branch: "passkeys", client: "Claude Code" },
  { title: "Why does the nightly import fail?", project: "/home/dev/import", branch: "main", client: "opencode" },
];

/** Titles and projects for the sessions of the generated requests. */
export function pastDescriptions(requests: readonly RequestEvent[]): readonly SessionDescription[] {
  const sessions = [...new Set(requests.map(({ session }) => session))];
  return sessions.flatMap((session, index) => {
    const work = WORK[index % WORK.length];
    return work === undefined ? [] : [{ ...work, tenant: "", session, clientVersion: "" }];
  });
}

interface Past {
  readonly atMs: number;
  readonly keyId: string;
  /** A number from 0 to 1. */
  readonly next: () => number;
}

function pastRequest({ atMs, keyId, next }: Past): RequestEvent {
  const originalTokens = Math.round(40_000 + 240_000 * next() ** 2);
  const sentTokens = Math.min(originalTokens, 90_000 + Math.round(20_000 * next()));
  const cacheReadTokens = Math.round(sentTokens * (0.7 + 0.25 * next()));
  const isCondensed = sentTokens < originalTokens;
  const model = MODELS[Math.floor(MODELS.length * next() ** 2)] ?? "";
  return {
    id: `past-${atMs}-${Math.floor(next() * 1e9)}`,
    atMs,
    tenant: "",
    keyId,
    session: `day-${Math.floor(atMs / (8 * HOUR_MS))}`,
    parent: "",
    wire: "anthropic-messages",
    action: "generate",
    model,
    sentAs: model,
    upstream: "simulated",
    status: 200,
    errorCode: next() < 0.01 ? "upstream.busy" : "",
    errorMessage: "",
    isGone: false,
    ms: 9_000 * next(),
    firstByteMs: 900 * next(),
    addedMs: 3 + 9 * next(),
    attempts: next() < 0.04 ? 2 : 1,
    inputTokens: sentTokens - cacheReadTokens,
    cacheReadTokens,
    cacheWriteTokens: 0,
    outputTokens: Math.round(900 * next()),
    reasoningTokens: 0,
    windowTokens: 200_000,
    originalTokens,
    sentTokens,
    strategy: isCondensed ? (STRATEGIES[Math.floor(3 * next())] ?? "") : "",
    origin: !isCondensed ? "" : next() < NEW_SHARE ? "new" : "reused",
    costUsd: (sentTokens * 0.9 + 4_000) / 1e6,
    savedUsd: ((originalTokens - sentTokens) * 0.9) / 1e6,
    deduplicatedUsd: isCondensed ? 0 : ((originalTokens - sentTokens) * 0.9) / 1e6,
    cachedUsd: (cacheReadTokens * 2.7) / 1e6,
    copiedMarks: 0,
    warnings: [],
    anatomy: { system: 3_000, tools: 9_000, text: sentTokens - 12_000 },
  };
}

/** The condensation of a request, if it was new. */
export function pastCondensation(request: RequestEvent): readonly CondensationEvent[] {
  if (request.origin !== "new") return [];
  const { id, atMs, tenant, keyId, session, upstream, model, strategy, originalTokens, sentTokens } = request;
  const costUsd = strategy === "native" ? (originalTokens * 0.15 + 2_000) / 1e6 : 0;
  const sizes = { tokensBefore: originalTokens, tokensAfter: sentTokens };
  const common = { requestId: id, atMs, tenant, keyId, session, upstream, model, strategy };
  return [{ id: `${id}-c`, ...common, ...sizes, costUsd, estimatedUsd: costUsd * 1.1, ms: 40, report: {} }];
}

/** A pseudo-random sequence of numbers from 0 to 1. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
