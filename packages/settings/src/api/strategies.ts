import { z } from "zod";

const maybe = z.exactOptional;

const figuresSchema = z.object({
  tokensLeftPercent: z.number().describe("Of a generated session that is to be condensed to half."),
  milliseconds: z.number(),
  modelCalls: z.int(),
  costUsd: z.number().describe("At $3 for a million tokens in and $15 out."),
  recallAtQuarter: maybe(z.number()).describe(
    "Of what the assistant uses next, the share that is still there when a quarter of the tokens is left.",
  ),
});

/** The ways to make a conversation smaller. */
export const strategiesSchema = z.object({
  strategies: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      description: z.string(),
      version: z.string(),
      capabilities: z.object({
        lossless: z.boolean(),
        batchMode: z.boolean(),
        individualMode: z.boolean(),
        multiPass: z.boolean(),
        summarizes: z.boolean(),
        speed: z.enum(["fast", "medium", "slow"]),
      }),
      thresholdPercent: maybe(z.number()).describe(
        "Share of the window at which it begins where nobody says otherwise.",
      ),
      loses: z.string().describe("How much of a conversation it loses."),
      chooseFor: z.string(),
      figures: maybe(figuresSchema).describe("What was measured of it; `docs/strategies/README.md` says how."),
      firstSettings: maybe(z.array(z.string())).describe("The settings that most people look for. Without them: all."),
      editor: maybe(z.enum(["passes"])).describe("Set where its settings are a list of passes."),
      schema: z.record(z.string(), z.unknown()).describe("What its settings may be, as JSON Schema."),
      defaults: z.record(z.string(), z.unknown()).describe("Its settings where nobody says otherwise."),
      docs: z.string().describe("The address of its page, beside the dashboard."),
    }),
  ),
});

/** What `GET /api/strategies` answers. */
export type StrategiesAnswer = z.output<typeof strategiesSchema>;
