import type { JsonObject } from "@longhaul/conversation";

/** The request log: figures and names, never message content. */
export interface Events {
  /** Stores all of a batch or nothing, and updates the totals. An event whose id is already stored is not counted again. */
  add(batch: EventBatch): Promise<void>;
  /** Latest first. */
  requests(query: RequestQuery): Promise<readonly RequestEvent[]>;
  request(id: string): Promise<RequestEvent | undefined>;
  /** Latest first. */
  condensations(query: CondensationQuery): Promise<readonly CondensationEvent[]>;
  session(tenant: string, session: string): Promise<SessionSummary | undefined>;
  /** Most recently used first, unless the query sorts them otherwise. */
  sessions(query: SessionQuery): Promise<readonly SessionSummary[]>;
  /** Returns the values that sessions can be filtered by, sorted; at most a few hundred of each. */
  sessionValues(): Promise<SessionValues>;
  /** Returns the latest successful requests of each session since a time, latest first. Reads a bounded number of requests. */
  latestTurns(sinceMs: number): Promise<readonly LatestTurn[]>;
  /** Counts failed requests by upstream and error code, most frequent first. */
  failures(span: Span): Promise<readonly Failures[]>;
  /** Returns percentiles over the latest requests of a span, at most ten thousand. */
  latencies(span: Span): Promise<Latencies>;
  /** Counts the sessions in the hours that the span touches, and those that had outgrown their context window. */
  countSessions(span: Span): Promise<{ readonly all: number; readonly keptAlive: number }>;
  /** Returns totals, oldest first, for every whole hour or day that the span touches. Daily totals outlive the events. */
  totals(query: TotalsQuery): Promise<readonly Totals[]>;
  /** Deletes a session and its events, and returns how many events. Totals stay. */
  clear(tenant: string, session: string): Promise<number>;
  /** Deletes events, sessions last used and hourly totals from before this time. Daily totals stay. */
  prune(beforeMs: number): Promise<number>;
}

/** Events that are stored in one transaction. */
export interface EventBatch {
  readonly requests: readonly RequestEvent[];
  readonly condensations: readonly CondensationEvent[];
  /** @default none */
  readonly descriptions?: readonly SessionDescription[];
}

/** Makes a session recognizable. Known once for a session; a text that is stored already is not replaced. */
export interface SessionDescription {
  readonly tenant: string;
  readonly session: string;
  /** The first words of the user; empty if titles are turned off. */
  readonly title: string;
  /** The folder that the client works in. */
  readonly project: string;
  readonly branch: string;
  /** The client's name, for example `Claude Code`. */
  readonly client: string;
  readonly clientVersion: string;
}

/** A finished request. Unknown texts are empty, unknown figures are 0. */
export interface RequestEvent {
  readonly id: string;
  /** When it was received. */
  readonly atMs: number;
  readonly tenant: string;
  readonly keyId: string;
  readonly session: string;
  /** The session that started this one, if it belongs to a sub-agent. */
  readonly parent: string;
  readonly wire: string;
  /** `aside` for a request that the client makes for itself, such as one for a title. It does not count as a turn. */
  readonly action: string;
  /** The client's name for the model. */
  readonly model: string;
  /** The upstream's name for the model. */
  readonly sentAs: string;
  readonly upstream: string;
  readonly status: number;
  readonly errorCode: string;
  /** The message of the error, without credentials; empty if it quotes the request. */
  readonly errorMessage: string;
  readonly isGone: boolean;
  /** Until the response was complete; `firstByteMs` is until its first byte. */
  readonly ms: number;
  readonly firstByteMs: number;
  /** The part of `ms` that was not spent waiting for an upstream. */
  readonly addedMs: number;
  /** Calls to upstreams. More than one means a retry, a failover or a recovered overflow. */
  readonly attempts: number;
  /** Neither read from a cache nor written to one. */
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Includes thinking. */
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  readonly windowTokens: number;
  /** Size of the prompt as received; `sentTokens` is its size as sent, by the vendor's count if it reported one. */
  readonly originalTokens: number;
  readonly sentTokens: number;
  /** Empty if nothing was condensed. */
  readonly strategy: string;
  readonly origin: "" | "new" | "reused";
  readonly costUsd: number;
  /** How much more the original prompt would have cost; negative if condensing cost more. Excludes the cost of summaries. */
  readonly savedUsd: number;
  /** The part of `savedUsd` that references to repeated lines saved, without a condensation. */
  readonly deduplicatedUsd: number;
  /** How much more the sent prompt would have cost without the vendor's prompt cache; negative if writing it cost more. */
  readonly cachedUsd: number;
  /** Marks of left-out content that the model copied into the arguments of its tool calls. They were passed on unchanged. */
  readonly copiedMarks: number;
  readonly warnings: readonly string[];
  /** Tokens sent, by kind: system, tools, text, calls, results, thinking, media. */
  readonly anatomy: Readonly<Record<string, number>>;
}

/** One condensation of a conversation. Equal sizes mean that it had no result: only its cost counts. */
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
  /** Cost of its summaries; `estimatedUsd` is the dry run's estimate. */
  readonly costUsd: number;
  readonly estimatedUsd: number;
  readonly ms: number;
  /** The engine's report without any text of the conversation. */
  readonly report: JsonObject;
}

/** Returns whether a condensation made its conversation smaller. One without a result may have cost something. */
export function hasResult({
  tokensBefore,
  tokensAfter,
}: Pick<CondensationEvent, "tokensBefore" | "tokensAfter">): boolean {
  return tokensAfter < tokensBefore;
}

/** A half-open time range: includes `sinceMs`, excludes `untilMs`. */
export interface Span {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** Filters for requests. The next page starts after the time and id of the last request seen. */
export interface RequestQuery {
  readonly limit: number;
  readonly before?: { readonly atMs: number; readonly id: string };
  readonly tenant?: string;
  readonly session?: string;
  readonly keyId?: string;
  readonly model?: string;
  readonly upstream?: string;
  readonly strategy?: string;
  readonly errorCode?: string;
  readonly hasFailed?: boolean;
  readonly isCondensed?: boolean;
  readonly sinceMs?: number;
  readonly untilMs?: number;
}

/** Filters for condensations. */
export interface CondensationQuery {
  readonly limit: number;
  readonly tenant?: string;
  readonly session?: string;
  readonly requestId?: string;
  readonly sinceMs?: number;
}

/** Filters for sessions. The next page starts after the last session seen. */
export interface SessionQuery {
  readonly limit: number;
  readonly tenant?: string;
  /** Only sessions with these names. */
  readonly names?: readonly string[];
  /** The session that started them; empty for main threads, including sub-agents whose parent is unknown. */
  readonly parent?: string;
  /** Only sub-agents of these. */
  readonly parents?: readonly string[];
  /** Words that occur in its title, project, branch or name, in any case. */
  readonly text?: string;
  readonly client?: string;
  readonly project?: string;
  readonly model?: string;
  readonly keyId?: string;
  readonly upstream?: string;
  readonly isCondensed?: boolean;
  readonly hasFailed?: boolean;
  /** Sessions that were used in this span. */
  readonly sinceMs?: number;
  readonly untilMs?: number;
  /** @default "lastAtMs" */
  readonly sort?: SessionSort;
  readonly before?: SessionPosition;
}

/** Projects are sorted by name, figures and times from high to low. */
export const SESSION_SORTS = ["lastAtMs", "firstAtMs", "costUsd", "savedUsd", "requests", "errors", "project"] as const;

/** A field that sessions can be sorted by. */
export type SessionSort = (typeof SESSION_SORTS)[number];

/** The position of a session in a list: the value that it is sorted by, then its last use and its name. */
export interface SessionPosition extends Pick<SessionSummary, "lastAtMs" | "session" | "tenant"> {
  /** Not needed if sessions are sorted by their last use. */
  readonly value?: string | number;
}

/** Values of stored sessions. */
export interface SessionValues {
  readonly clients: readonly string[];
  readonly projects: readonly string[];
  readonly models: readonly string[];
  readonly keyIds: readonly string[];
}

/** One of a session's latest requests, as far as its prompt cache is concerned. */
export type LatestTurn = Pick<
  RequestEvent,
  "atMs" | "tenant" | "session" | "inputTokens" | "cacheReadTokens" | "cacheWriteTokens" | "origin"
>;

/** Failed requests with the same upstream and error code. */
export interface Failures extends Pick<RequestEvent, "upstream" | "errorCode"> {
  readonly requests: number;
  readonly lastAtMs: number;
}

/** Percentiles in milliseconds; 0 if there were no requests. */
export interface Latencies {
  readonly requests: number;
  readonly addedMs: Percentiles;
  readonly firstByteMs: Percentiles;
}

/** The median and two higher percentiles. */
export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** Summary of one session. */
export interface SessionSummary extends SessionDescription {
  /** The session that started this one, if it belongs to a sub-agent. */
  readonly parent: string;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
  readonly requests: number;
  readonly errors: number;
  readonly condensations: number;
  /** Includes the cost of summaries. */
  readonly costUsd: number;
  /** Excludes the cost of summaries. */
  readonly savedUsd: number;
  /** This and the fields below describe its latest request. */
  readonly keyId: string;
  readonly model: string;
  readonly upstream: string;
  readonly strategy: string;
  readonly windowTokens: number;
  readonly originalTokens: number;
  readonly sentTokens: number;
}

/** Filters and grouping of totals. */
export interface TotalsQuery extends Span {
  readonly bucket: "hour" | "day";
  /** @default no grouping */
  readonly by?: "model" | "keyId" | "strategy" | "upstream";
  readonly tenant?: string;
}

/** Totals of one hour or day, in UTC. */
export interface Totals {
  readonly atMs: number;
  /** The value of `by`; empty without grouping. */
  readonly group: string;
  readonly requests: number;
  readonly errors: number;
  /** Requests that took more than one call to an upstream. */
  readonly fallbacks: number;
  /** Requests whose prompt had outgrown the context window. */
  readonly overWindow: number;
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly savedTokens: number;
  readonly costUsd: number;
  readonly savedUsd: number;
  readonly deduplicatedUsd: number;
  readonly cachedUsd: number;
  readonly addedMs: number;
  readonly condensations: number;
  readonly condensingUsd: number;
}

/** Message content of requests, if the operator has chosen to record it. */
export interface Contents {
  /** Replaces the content of the same request. */
  put(content: Content): Promise<void>;
  find(requestId: string): Promise<Content | undefined>;
  /** Deletes a session's contents. */
  clear(tenant: string, session: string): Promise<number>;
  /** Deletes older contents, then the oldest until the rest takes up at most `maxBytes`. */
  prune(beforeMs: number, maxBytes: number): Promise<number>;
}

/** One request as received and as sent, both compressed with gzip. */
export interface Content {
  readonly requestId: string;
  readonly tenant: string;
  readonly session: string;
  readonly atMs: number;
  readonly wire: string;
  readonly sentWire: string;
  readonly before: Uint8Array;
  /** Absent if the request was sent unchanged. */
  readonly after?: Uint8Array;
}
