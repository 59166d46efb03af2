import { z } from "zod";
import { previewBodySchema, previewSchema } from "./previews.ts";

const text = z.string();
const figure = z.number();
const figures = z.record(z.string(), z.number());

/** A request that is over; `docs/operations.md` tells what each figure means. */
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
  warnings: z.array(text).readonly(),
  anatomy: figures,
});

/** A conversation that was made smaller. */
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

/** What is known of one conversation. */
export const sessionSchema = z.object({
  tenant: text,
  session: text,
  parent: text.describe("The session that started it, if it is a sub-agent's."),
  firstAtMs: figure,
  lastAtMs: figure,
  requests: figure,
  errors: figure,
  condensations: figure,
  costUsd: figure,
  savedUsd: figure,
  model: text,
  upstream: text,
  strategy: text,
  windowTokens: figure,
  originalTokens: figure,
  sentTokens: figure,
});

/** Sums over an hour, a day, or all that was asked for. */
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
  addedMs: figure,
  condensations: figure,
  condensingUsd: figure,
});

const limit = z.coerce.number().int().min(1).max(500);
const time = z.coerce.number().min(0);

/** Which requests: the latest first, each page beginning after the last one seen. */
export const eventsQuerySchema = z.strictObject({
  limit: limit.default(50),
  beforeMs: time.optional().describe("Time of the last one seen."),
  beforeId: text.optional().describe("Id of the last one seen."),
  session: text.optional(),
  keyId: text.optional(),
  model: text.optional(),
  failed: z.enum(["yes", "no"]).optional(),
});

/** Requests, the latest first. */
export const eventsSchema = z.object({ requests: z.array(requestEventSchema) });

/** Which sessions: the latest used first. */
export const sessionsQuerySchema = z.strictObject({
  limit: limit.default(50),
  beforeMs: time.optional().describe("Last use of the last one seen."),
  beforeSession: text.default("").describe("Its name."),
  beforeTenant: text.default("").describe("Its owner."),
  parent: text.optional().describe("The session that started them; empty for main threads."),
});

/** Sessions, the latest used first. */
export const sessionsSchema = z.object({ sessions: z.array(sessionSchema) });

/** Whose session; one owner's by default. */
export const sessionQuerySchema = z.strictObject({ tenant: text.default("") });

/** One conversation: its turns, the first one first, and how it was made smaller. */
export const sessionDetailSchema = z.object({
  turns: z.array(requestEventSchema),
  condensations: z.array(condensationEventSchema),
  /** The session that started it, if it is a sub-agent's. */
  parent: text,
  /** The sessions of its sub-agents, the latest used first. */
  children: z.array(sessionSchema),
  /** Whether there were more turns than are told. */
  isCut: z.boolean(),
});

/** How much was forgotten. */
export const forgottenSchema = z.object({ events: figure, contents: figure, epochs: figure });

/** Which span is summed, and how finely. */
export const analyticsQuerySchema = z.strictObject({
  sinceMs: time.optional().describe("Default: a day before `untilMs`."),
  untilMs: time.optional().describe("Default: now."),
  bucket: z.enum(["hour", "day"]).optional().describe("Default: hours for up to three days."),
});

/** The figures of a span: all together, over time, and by what they belong to. */
export const analyticsSchema = z.object({
  sinceMs: figure,
  untilMs: figure,
  bucket: z.enum(["hour", "day"]),
  all: totalsSchema,
  /** The same span before, to compare with. */
  before: totalsSchema,
  sessions: z.object({ all: figure, keptAlive: figure }),
  overTime: z.array(totalsSchema),
  byModel: z.array(totalsSchema),
  byKey: z.array(totalsSchema),
  byStrategy: z.array(totalsSchema),
  byUpstream: z.array(totalsSchema),
});

/** A request that is over. */
export type RequestEventAnswer = z.output<typeof requestEventSchema>;

/** A conversation that was made smaller. */
export type CondensationAnswer = z.output<typeof condensationEventSchema>;

/** Requests, the latest first. */
export type EventsAnswer = z.output<typeof eventsSchema>;

/** One session of a list. */
export type SessionAnswer = z.output<typeof sessionSchema>;

/** Sessions, the latest used first. */
export type SessionsAnswer = z.output<typeof sessionsSchema>;

/** One conversation. */
export type SessionDetailAnswer = z.output<typeof sessionDetailSchema>;

/** Sums. */
export type TotalsAnswer = z.output<typeof totalsSchema>;

/** The figures of a span. */
export type AnalyticsAnswer = z.output<typeof analyticsSchema>;

const { rowCount, rows } = previewSchema.shape;

/** Which rows of a request are told. */
export const requestQuerySchema = previewBodySchema.pick({ from: true, limit: true, row: true });

/** One request: what is kept of it, how it was made smaller, and what it said where that is kept. */
export const requestDetailSchema = z.object({
  request: requestEventSchema,
  /** Those that were made for it, the latest first; one that reused an earlier one has none of its own. */
  condensations: z.array(condensationEventSchema),
  /** Absent where contents are not kept. */
  contents: z.exactOptional(
    z.object({
      wire: z.string(),
      sentWire: z.string(),
      isSame: z.boolean().describe("Whether it was sent as it came."),
      messagesBefore: z.number(),
      messagesAfter: z.number(),
      putBack: z.array(z.string()).describe("Facts that were put back under its summaries."),
      rowCount,
      rows,
    }),
  ),
});

/** One request. */
export type RequestDetailAnswer = z.output<typeof requestDetailSchema>;
