import { ORIGINS } from "@longhaul/settings";
import { z } from "zod";

const maybe = z.exactOptional;

const sectionFields = {
  name: z.string(),
  settings: z.record(z.string(), z.unknown()).describe("What holds for it, without secrets."),
  secrets: z.array(z.string()).describe("Secrets that are set."),
  origins: z.array(z.enum(ORIGINS)).describe("Who sets something of it."),
  canRemove: z.boolean().describe("Whether it stands in the store alone."),
  routes: z.array(z.string()).describe("The routes that lead to it."),
};

/** Where the models are. */
export const upstreamsSchema = z.object({
  upstreams: z.array(
    z.object({
      ...sectionFields,
      kind: z.string(),
      pays: z.enum(["gateway", "client"]).describe("Whose credential it is asked with."),
      places: z.array(
        z.object({
          platform: z.string(),
          wires: z.array(z.string()),
          isResting: z.boolean().describe("Whether it failed so often that it is left alone for a while."),
        }),
      ),
    }),
  ),
});

/** Where a threshold comes from; `room`: nobody set one, so the room that is left decides. */
export const THRESHOLD_SOURCES = ["profile", "global", "strategy", "room"] as const;

/** Models with their settings. */
export const profilesSchema = z.object({
  profiles: z.array(
    z.object({
      ...sectionFields,
      isSummarizer: z.boolean().describe("Whether it writes summaries where nobody says otherwise."),
      threshold: z.object({ percent: z.number(), from: z.enum(THRESHOLD_SOURCES) }),
      model: maybe(
        z.object({
          id: z.string(),
          sentAs: z.string(),
          windowTokens: z.number(),
          maxOutputTokens: z.number(),
          prices: maybe(
            z.object({ input: z.number(), output: z.number(), cacheRead: z.number(), cacheWrite: z.number() }),
          ).describe("USD for a million tokens."),
          warning: maybe(z.string()).describe("What had to be assumed."),
        }),
      ).describe("What is known of its model, where it names one that can be asked."),
      why: maybe(z.string()).describe("Why its model cannot be asked."),
    }),
  ),
});

/** What is set under a name; `null` takes back what was. */
export const sectionChangeSchema = z.record(z.string().min(1), z.json());

/** What an upstream is tried with. */
export const upstreamTestSchema = z.strictObject({
  model: maybe(z.string().min(1)).describe(
    "A model to be asked for a few tokens. Without one, the list of models is asked for.",
  ),
});

/** How an upstream answered. */
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
    .describe("What came of it. `unlisted`: it lists no models; `key-missing`: only clients have a key for it."),
  ms: z.number(),
  models: z.array(z.string()).describe("What it lists."),
  reply: maybe(z.string()).describe("What the model said."),
  why: maybe(z.string()).describe("What is wrong."),
});

/** What `GET /api/upstreams` answers. */
export type UpstreamsAnswer = z.output<typeof upstreamsSchema>;

/** What `GET /api/profiles` answers. */
export type ProfilesAnswer = z.output<typeof profilesSchema>;

/** What `POST /api/upstreams/:name/test` answers. */
export type TestedUpstreamAnswer = z.output<typeof testedUpstreamSchema>;
