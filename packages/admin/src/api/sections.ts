import { RECOGNIZED_KINDS } from "@longhaul/models/kinds";
import { ORIGINS } from "@longhaul/settings";
import { z } from "zod";

const maybe = z.exactOptional;

const sectionFields = {
  name: z.string(),
  settings: z.record(z.string(), z.unknown()).describe("Its effective settings, without secrets."),
  secrets: z.array(z.string()).describe("Names of the secrets that are set."),
  origins: z.array(z.enum(ORIGINS)).describe("The sources that set something in it."),
  canRemove: z.boolean().describe("Whether it exists only in the store."),
  routes: z.array(z.string()).describe("The routes that lead to it."),
};

/** The answer of `GET /api/upstreams`. */
export const upstreamsSchema = z.object({
  kinds: z.array(
    z.object({ kind: z.string(), fields: z.array(z.string()).describe("The settings that an upstream of it uses.") }),
  ),
  upstreams: z.array(
    z.object({
      ...sectionFields,
      kind: z.string(),
      credential: z.enum(["gateway", "client", "none"]).describe("Whose credential is used; the simulator needs none."),
      connections: z.array(
        z.object({
          platform: z.string(),
          wires: z.array(z.string()),
          isCircuitOpen: z.boolean().describe("Whether its circuit is open after repeated failures."),
        }),
      ),
    }),
  ),
});

/** The answer of `GET /api/upstreams`. */
export type UpstreamsAnswer = z.output<typeof upstreamsSchema>;

/** The source of a threshold; `room` means that none is set and the output reserve decides. */
export const THRESHOLD_SOURCES = ["profile", "global", "strategy", "room"] as const;

/** The answer of `GET /api/profiles`. */
export const profilesSchema = z.object({
  profiles: z.array(
    z.object({
      ...sectionFields,
      isSummarizer: z.boolean().describe("Whether `context.summarizer` names it."),
      threshold: z.object({ percent: z.number(), from: z.enum(THRESHOLD_SOURCES) }),
      model: maybe(
        z.object({
          id: z.string(),
          sentAs: z.string(),
          windowTokens: z.number(),
          maxOutputTokens: z.number(),
          prices: maybe(
            z.object({ input: z.number(), output: z.number(), cacheRead: z.number(), cacheWrite: z.number() }),
          ).describe("USD per million tokens."),
          warning: maybe(z.string()).describe("Assumptions about the model."),
        }),
      ).describe("Its model, if it names one that can be called."),
      why: maybe(z.string()).describe("Why its model cannot be called."),
    }),
  ),
});

/** The answer of `GET /api/profiles`. */
export type ProfilesAnswer = z.output<typeof profilesSchema>;

/** The fields to set in an upstream or a profile; `null` removes the stored value. */
export const sectionChangeSchema = z.record(z.string().min(1), z.json());

/** The body of `POST /api/upstreams/:name/test`. */
export const upstreamTestSchema = z.strictObject({
  model: maybe(z.string().min(1)).describe("A model to request a few tokens from. Default: request the model list."),
});

/** The answer of `POST /api/upstreams/:name/test`. */
export const testedUpstreamSchema = z.object({
  outcome: z
    .enum([
      "working",
      "unlisted",
      "key-missing",
      "key-refused",
      "unknown-path",
      "unknown-model",
      "refused",
      "busy",
      "late",
      "unreachable",
      "broken",
    ])
    .describe("`unlisted`: it has no model list; `key-missing`: only clients have a key for it."),
  ms: z.number(),
  models: z.array(z.string()).describe("Its model list."),
  reply: maybe(z.string()).describe("The model's reply."),
  why: maybe(z.string()).describe("The reason for a failure."),
});

/** The answer of `POST /api/upstreams/:name/test`. */
export type TestedUpstreamAnswer = z.output<typeof testedUpstreamSchema>;

/** The query of `GET /api/routes/match`. */
export const routeMatchQuerySchema = z.strictObject({
  model: z.string().trim().min(1).max(1_000).describe("A model name as a client sends it."),
  credential: maybe(z.enum(RECOGNIZED_KINDS.map(({ kind }) => kind))).describe(
    "The vendor whose own credential the client sends. Default: none.",
  ),
});

/** The answer of `GET /api/routes/match`. */
export const routeMatchSchema = z.object({
  index: maybe(z.int()).describe("The position of the route in `routes`; absent if no route matches."),
  match: maybe(z.string()).describe("The route's pattern."),
  name: maybe(z.string()).describe("The model's name without a suffix that selects reasoning."),
  skipped: z.array(z.string()).describe("Patterns of earlier routes, which do not match."),
  destinations: z
    .array(z.object({ upstream: z.string(), kind: z.string(), model: z.string(), wire: z.string() }))
    .describe("Where a request goes, in the order in which they are tried."),
  why: maybe(z.string()).describe("Why a request has no destination."),
});

/** The answer of `GET /api/routes/match`. */
export type RouteMatchAnswer = z.output<typeof routeMatchSchema>;
