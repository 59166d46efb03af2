import { SESSION_SORTS } from "@longhaul/store";
import { z } from "zod";
import { choice, condensationEventSchema, limit, requestEventSchema, time } from "./events.ts";

const text = z.string();
const figure = z.number();

/** One session in the list of sessions. */
export const sessionSchema = z.object({
  tenant: text,
  session: text,
  parent: text.describe("The session that started it, if it is a sub-agent's; else empty."),
  title: text.describe("The first words of the user; empty if unknown or if `events.titles` is off."),
  project: text.describe("The folder that the client works in."),
  branch: text.describe("The Git branch of that folder."),
  client: text,
  clientVersion: text,
  keyId: text,
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

/** One session in the list of sessions. */
export type SessionAnswer = z.output<typeof sessionSchema>;

/** The query of `GET /api/sessions`. */
export const sessionsQuerySchema = z.strictObject({
  limit: limit.default(50),
  sort: z.enum(SESSION_SORTS).default("lastAtMs").describe("`project` sorts by name, the others from high to low."),
  beforeValue: text.optional().describe("The previous page's last session: its value of `sort`."),
  beforeMs: time.optional().describe("Its `lastAtMs`."),
  beforeSession: text.default("").describe("Its `session`."),
  beforeTenant: text.default("").describe("Its `tenant`."),
  parent: text.optional().describe("Only sub-agents of this session; empty for sessions that are not sub-agents."),
  text: text.optional().describe("Words in the title, project, branch or session."),
  client: text.optional(),
  project: text.optional(),
  model: text.optional(),
  keyId: text.optional(),
  upstream: text.optional(),
  condensed: choice.optional(),
  failed: choice.optional(),
  sinceMs: time.optional().describe("Only sessions used at or after this time."),
  untilMs: time.optional().describe("Only sessions used before this time."),
});

/** The answer of `GET /api/sessions`, most recently used first. */
export const sessionsSchema = z.object({
  sessions: z.array(sessionSchema),
  children: z.array(sessionSchema).describe("The sub-agents of the listed sessions."),
});

/** The answer of `GET /api/sessions`, most recently used first. */
export type SessionsAnswer = z.output<typeof sessionsSchema>;

/** The answer of `GET /api/session-values`. */
export const sessionValuesSchema = z.object({
  clients: z.array(text),
  projects: z.array(text),
  models: z.array(text),
  keyIds: z.array(text),
});

/** The answer of `GET /api/session-values`. */
export type SessionValuesAnswer = z.output<typeof sessionValuesSchema>;

/** The query for one session; its tenant is empty for a gateway without keys. Clients name sessions freely, so names are not part of paths. */
export const sessionQuerySchema = z.strictObject({ session: text, tenant: text.default("") });

/** The answer of `GET /api/session`: the session's requests and condensations, oldest first. */
export const sessionDetailSchema = z.object({
  session: sessionSchema,
  turns: z.array(requestEventSchema),
  condensations: z.array(condensationEventSchema),
  parent: text.describe("The session that started it, if it is a sub-agent's; else empty."),
  children: z.array(sessionSchema).describe("The sessions of its sub-agents, most recently used first."),
  isCut: z.boolean().describe("Whether there are more turns than listed."),
});

/** The answer of `GET /api/session`. */
export type SessionDetailAnswer = z.output<typeof sessionDetailSchema>;

/** How many records of a session were deleted. */
export const forgottenSchema = z.object({ events: figure, contents: figure, epochs: figure });
