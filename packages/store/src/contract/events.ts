import type { JsonObject } from "@longhaul/conversation";

/** What happened: figures and names, never what anybody said. */
export interface Events {
  /** Keeps all of a batch or nothing, with the daily sums. What was kept before under the same id is not counted again. */
  add(batch: EventBatch): Promise<void>;
  /** The latest first. */
  requests(query: RequestQuery): Promise<readonly RequestEvent[]>;
  request(id: string): Promise<RequestEvent | undefined>;
  /** The latest first. */
  condensations(query: CondensationQuery): Promise<readonly CondensationEvent[]>;
  /** The latest used first. */
  sessions(query: SessionQuery): Promise<readonly SessionSummary[]>;
  /** How many conversations there were in the hours that the span touches, and how many of them had outgrown their window then. */
  countSessions(span: Span): Promise<{ readonly all: number; readonly keptAlive: number }>;
  /** Sums by time, oldest first, and by what is asked for: of every hour or day that the span touches, whole. Days outlive single events. */
  totals(query: TotalsQuery): Promise<readonly Totals[]>;
  /** Forgets a session and its events; sums stay. Says how many events they were. */
  clear(tenant: string, session: string): Promise<number>;
  /** Forgets events before, sessions that were last used before, and the sums of hours; those of days stay. */
  prune(beforeMs: number): Promise<number>;
}

/** Events that are kept together. */
export interface EventBatch {
  readonly requests: readonly RequestEvent[];
  readonly condensations: readonly CondensationEvent[];
}

/** A request that is over. Texts are empty and figures 0 where nothing is known. */
export interface RequestEvent {
  readonly id: string;
  /** When it came. */
  readonly atMs: number;
  readonly tenant: string;
  readonly keyId: string;
  readonly session: string;
  /** The session that started it, if it is a sub-agent's. */
  readonly parent: string;
  readonly wire: string;
  readonly action: string;
  /** As the client named it. */
  readonly model: string;
  /** The model's name at the upstream. */
  readonly sentAs: string;
  readonly upstream: string;
  readonly status: number;
  readonly errorCode: string;
  readonly isGone: boolean;
  /** Until all of the answer was sent, and until its first byte was. */
  readonly ms: number;
  readonly firstByteMs: number;
  /** How much of that nobody waited for an upstream. */
  readonly addedMs: number;
  /** Calls to upstreams: more than one is a retry, a failover or an overflow that was recovered from. */
  readonly attempts: number;
  /** Not read from a cache and not written to one. */
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Thinking is in it. */
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  readonly windowTokens: number;
  /** The prompt as it came, and as it was sent. */
  readonly originalTokens: number;
  readonly sentTokens: number;
  /** Empty where nothing was condensed. */
  readonly strategy: string;
  readonly origin: "" | "new" | "reused";
  readonly costUsd: number;
  /** What it would have cost more as it came; negative where condensing made it dearer. What summaries cost is not in it. */
  readonly savedUsd: number;
  readonly warnings: readonly string[];
  /** Tokens of what was sent, by what they are: system, tools, text, calls, results, thinking, media. */
  readonly anatomy: Readonly<Record<string, number>>;
}

/** A conversation that was made smaller. */
export interface CondensationEvent {
  readonly id: string;
  readonly requestId: string;
  readonly atMs: number;
  readonly tenant: string;
  readonly keyId: string;
  readonly session: string;
  readonly upstream: string;
  readonly model: string;
  readonly strategy: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** What its summaries cost, and what the dry run before it said that they would. */
  readonly costUsd: number;
  readonly estimatedUsd: number;
  readonly ms: number;
  /** The engine's report without any text of the conversation. */
  readonly report: JsonObject;
}

/** From a time on, up to but without another. */
export interface Span {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** Which requests. Pages follow each other by the time and id of the last one seen. */
export interface RequestQuery {
  readonly limit: number;
  readonly before?: { readonly atMs: number; readonly id: string };
  readonly tenant?: string;
  readonly session?: string;
  readonly keyId?: string;
  readonly model?: string;
  readonly hasFailed?: boolean;
}

/** Which condensations. */
export interface CondensationQuery {
  readonly limit: number;
  readonly tenant?: string;
  readonly session?: string;
  readonly requestId?: string;
  readonly sinceMs?: number;
}

/** Which sessions. Pages follow each other by the last use and name of the last one seen. */
export interface SessionQuery {
  readonly limit: number;
  readonly tenant?: string;
  /** The session that started them; empty for main threads. */
  readonly parent?: string;
  readonly before?: Pick<SessionSummary, "lastAtMs" | "session" | "tenant">;
}

/** What is known of one conversation. */
export interface SessionSummary {
  readonly tenant: string;
  readonly session: string;
  /** The session that started it, if it is a sub-agent's. */
  readonly parent: string;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
  readonly requests: number;
  readonly errors: number;
  readonly condensations: number;
  /** With what summaries cost. */
  readonly costUsd: number;
  /** Less what summaries cost. */
  readonly savedUsd: number;
  /** Of its latest request. */
  readonly model: string;
  readonly upstream: string;
  readonly strategy: string;
  readonly windowTokens: number;
  readonly originalTokens: number;
  readonly sentTokens: number;
}

/** Which sums. */
export interface TotalsQuery extends Span {
  readonly bucket: "hour" | "day";
  /** @default all together */
  readonly by?: "model" | "keyId" | "strategy" | "upstream";
  readonly tenant?: string;
}

/** Sums over one hour or day of UTC. */
export interface Totals {
  readonly atMs: number;
  /** What it is the sum for; empty where all are together. */
  readonly group: string;
  readonly requests: number;
  readonly errors: number;
  /** Requests that took more than one call to an upstream. */
  readonly fallbacks: number;
  /** Requests whose prompt had outgrown its window. */
  readonly overWindow: number;
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly savedTokens: number;
  readonly costUsd: number;
  readonly savedUsd: number;
  readonly addedMs: number;
  readonly condensations: number;
  readonly condensingUsd: number;
}

/** What requests said, where the operator keeps that. */
export interface Contents {
  /** Takes the place of the one of the same request. */
  put(content: Content): Promise<void>;
  find(requestId: string): Promise<Content | undefined>;
  /** Forgets a session's. */
  clear(tenant: string, session: string): Promise<number>;
  /** Forgets what is older, and, oldest first, what is over `maxBytes` in all. */
  prune(beforeMs: number, maxBytes: number): Promise<number>;
}

/** One request as it came and as it was sent, both packed with gzip. */
export interface Content {
  readonly requestId: string;
  readonly tenant: string;
  readonly session: string;
  readonly atMs: number;
  readonly wire: string;
  readonly sentWire: string;
  readonly before: Uint8Array;
  /** Absent where it was sent as it came. */
  readonly after?: Uint8Array;
}
