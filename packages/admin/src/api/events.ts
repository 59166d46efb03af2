import { z } from "zod";
import { previewBodySchema, previewSchema } from "./previews.ts";

const text = z.string();
const figure = z.number();
const figures = z.record(z.string(), z.number());

/** A finished request; `docs/operations.md` explains each field. */
export const requestEventSchema = z.object({
  id: text,
  atMs: figure,
  tenant: text,
  keyId: text,
  session: text,
  parent: text,
  wire: text,
  action: text,
  model: text,
  sentAs: text,
  upstream: text,
  status: figure,
  errorCode: text,
  errorMessage: text.describe("Empty if it quotes the request."),
  isGone: z.boolean(),
  ms: figure,
  firstByteMs: figure,
  addedMs: figure,
  attempts: figure,
  inputTokens: figure,
  cacheReadTokens: figure,
  cacheWriteTokens: figure,
  outputTokens: figure,
  reasoningTokens: figure,
  windowTokens: figure,
  originalTokens: figure,
  sentTokens: figure,
  strategy: text,
  origin: z.enum(["", "new", "reused"]),
  costUsd: figure,
  savedUsd: figure,
  deduplicatedUsd: figure.describe("The part of `savedUsd` that deduplication saved, without a condensation."),
  cachedUsd: figure.describe("What the vendor's prompt cache saved, compared with uncached prices."),
  copiedMarks: figure,
  warnings: z.array(text).readonly(),
  anatomy: figures,
});

/** A finished request. */
export type RequestEventAnswer = z.output<typeof requestEventSchema>;

/** One condensation of a conversation. */
export const condensationEventSchema = z.object({
  id: text,
  requestId: text,
  atMs: figure,
  tenant: text,
  keyId: text,
  session: text,
  upstream: text,
  model: text,
  strategy: text,
  tokensBefore: figure,
  tokensAfter: figure,
  costUsd: figure,
  estimatedUsd: figure,
  ms: figure,
  report: z.record(z.string(), z.unknown()),
});

/** One condensation of a conversation. */
export type CondensationAnswer = z.output<typeof condensationEventSchema>;

/** Totals of an hour, a day, or the whole time span. */
export const totalsSchema = z.object({
  atMs: figure,
  group: text,
  requests: figure,
  errors: figure,
  fallbacks: figure,
  overWindow: figure,
  inputTokens: figure,
  cacheReadTokens: figure,
  cacheWriteTokens: figure,
  outputTokens: figure,
  savedTokens: figure,
  costUsd: figure,
  savedUsd: figure,
  deduplicatedUsd: figure,
  cachedUsd: figure,
  addedMs: figure,
  condensations: figure,
  condensingUsd: figure,
});

/** Totals of an hour, a day, or the whole time span. */
export type TotalsAnswer = z.output<typeof totalsSchema>;

/** A yes or no in a query. */
export const choice = z.enum(["yes", "no"]);
/** The number of rows in a query. */
export const limit = z.coerce.number().int().min(1).max(500);
/** A time in a query, in milliseconds. */
export const time = z.coerce.number().min(0);

/** The query of `GET /api/events`. A page continues after the last request of the one before. */
export const eventsQuerySchema = z.strictObject({
  limit: limit.default(50),
  beforeMs: time.optional().describe("`atMs` of the previous page's last request."),
  beforeId: text.optional().describe("`id` of the previous page's last request."),
  session: text.optional(),
  keyId: text.optional(),
  model: text.optional(),
  upstream: text.optional(),
  strategy: text.optional(),
  errorCode: text.optional(),
  failed: choice.optional(),
  condensed: choice.optional(),
  sinceMs: time.optional(),
  untilMs: time.optional(),
});

/** The answer of `GET /api/events`, latest first. */
export const eventsSchema = z.object({
  requests: z.array(requestEventSchema.extend({ title: text.describe("The session's title; empty if unknown.") })),
});

/** The answer of `GET /api/events`, latest first. */
export type EventsAnswer = z.output<typeof eventsSchema>;

/** The query of `GET /api/analytics`. */
export const analyticsQuerySchema = z.strictObject({
  sinceMs: time.optional().describe("Default: one day before `untilMs`."),
  untilMs: time.optional().describe("Default: now."),
  bucket: z.enum(["hour", "day"]).optional().describe("Default: `hour` for up to three days, else `day`."),
});

const percentilesSchema = z.object({ p50: figure, p95: figure, p99: figure });

/** The answer of `GET /api/analytics`: totals of a time span, overall, over time and by group. */
export const analyticsSchema = z.object({
  sinceMs: figure,
  untilMs: figure,
  bucket: z.enum(["hour", "day"]),
  all: totalsSchema,
  before: totalsSchema.describe("The preceding span of the same length."),
  sessions: z.object({ all: figure, keptAlive: figure }),
  latencies: z
    .object({ requests: figure, addedMs: percentilesSchema, firstByteMs: percentilesSchema })
    .describe("Percentiles in milliseconds of the latest requests of the span, at most ten thousand."),
  overTime: z.array(totalsSchema),
  byModel: z.array(totalsSchema),
  byKey: z.array(totalsSchema),
  byStrategy: z.array(totalsSchema),
  byUpstream: z.array(totalsSchema),
});

/** The answer of `GET /api/analytics`. */
export type AnalyticsAnswer = z.output<typeof analyticsSchema>;

/** The answer of `GET /api/requests/:id/repeat`. */
export const repeatSchema = z.object({
  path: z.string(),
  headers: z.record(z.string(), z.string()).describe("Without the header for a credential."),
  body: z.string(),
});

/** The answer of `GET /api/requests/:id/repeat`. */
export type RepeatAnswer = z.output<typeof repeatSchema>;

const { rowCount, rows, changed } = previewSchema.shape;

/** The query of `GET /api/requests/:id`: the rows to return. */
export const requestQuerySchema = previewBodySchema.pick({ from: true, limit: true, row: true });

/** The answer of `GET /api/requests/:id`: the request, its condensations, and its content if that was recorded. */
export const requestDetailSchema = z.object({
  request: requestEventSchema,
  condensations: z
    .array(condensationEventSchema)
    .describe("Latest first; none if the request reused an earlier condensation."),
  contents: z
    .exactOptional(
      z.object({
        wire: z.string(),
        sentWire: z.string(),
        isSame: z.boolean().describe("Whether the request was sent unchanged."),
        messagesBefore: z.number(),
        messagesAfter: z.number(),
        putBack: z.array(z.string()).describe("Facts that were restored after its summaries."),
        rowCount,
        changed,
        rows,
      }),
    )
    .describe("Absent if request content is not recorded."),
});

/** The answer of `GET /api/requests/:id`. */
export type RequestDetailAnswer = z.output<typeof requestDetailSchema>;
