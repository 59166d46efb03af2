import { z } from "zod";

const maybe = z.exactOptional;

const figuresSchema = z.object({
  tokensLeftPercent: z.number().describe("Of a generated session, condensed with a target of half its size."),
  milliseconds: z.number(),
  modelCalls: z.int(),
  costUsd: z.number().describe("At $3 per million input tokens and $15 per million output tokens."),
  recallAtQuarter: maybe(z.number()).describe(
    "The share of the content used next by the assistant that remains when a quarter of the tokens is left.",
  ),
});

/** The answer of `GET /api/strategies`. */
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
      thresholdPercent: maybe(z.number()).describe("Default share of the window at which it starts."),
      loses: z.string().describe("How much information it loses: none, low, medium or high."),
      chooseFor: z.string(),
      figures: maybe(figuresSchema).describe("Benchmark results; `docs/strategies/README.md` explains them."),
      firstSettings: maybe(z.array(z.string())).describe("The settings to show first. If absent, all of them."),
      editor: maybe(z.enum(["passes"])).describe("`passes` if its settings are a list of passes."),
      schema: z.record(z.string(), z.unknown()).describe("JSON Schema of its settings."),
      defaults: z.record(z.string(), z.unknown()).describe("Its default settings."),
      docs: z.string().describe("The path of its documentation page."),
    }),
  ),
});

/** The answer of `GET /api/strategies`. */
export type StrategiesAnswer = z.output<typeof strategiesSchema>;

/** The answer of `GET /api/prompts`: the default prompts and the placeholders that a prompt may contain. */
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

/** The answer of `GET /api/prompts`. */
export type PromptsAnswer = z.output<typeof promptsSchema>;

/** The body of `POST /api/prompts/check`. */
export const promptBodySchema = z.strictObject({
  prompt: z.string().max(1_000_000),
  profile: maybe(z.string().min(1)).describe("The profile that writes the summary. Default: `context.summarizer`."),
});

/** The answer of `POST /api/prompts/check`. */
export const checkedPromptSchema = z.object({
  faults: z.array(z.string()).describe("The prompt's faults, one sentence each; empty if it is valid."),
  tokens: z.int(),
  preview: z.string().describe("The request that a model would get for a short example."),
});

/** The answer of `POST /api/prompts/check`. */
export type CheckedPromptAnswer = z.output<typeof checkedPromptSchema>;
