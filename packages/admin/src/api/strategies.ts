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

/** The prompts that are used where nobody wrote another, and what one may leave open. */
export const promptsSchema = z.object({
  prompts: z.array(
    z.object({
      id: z.string(),
      use: z.string(),
      text: z.string(),
      strategies: z.array(z.string()).describe("The strategies whose `prompt` setting replaces it."),
    }),
  ),
  placeholders: z.array(z.string()),
});

/** A prompt to be looked at. */
export const promptBodySchema = z.strictObject({
  prompt: z.string().max(1_000_000),
  profile: maybe(z.string().min(1)).describe("Who would write the summary. Without one: who does by the settings."),
});

/** Whether a prompt can be used, and what a model would be told. */
export const checkedPromptSchema = z.object({
  faults: z.array(z.string()).describe("Each as a sentence; none where it can be used."),
  tokens: z.int(),
  preview: z.string().describe("What a model would be told to sum up a short example."),
});

/** What `GET /api/prompts` answers. */
export type PromptsAnswer = z.output<typeof promptsSchema>;

/** What `POST /api/prompts/check` answers. */
export type CheckedPromptAnswer = z.output<typeof checkedPromptSchema>;
