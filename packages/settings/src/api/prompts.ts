import { z } from "zod";

const maybe = z.exactOptional;

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
