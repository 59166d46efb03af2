import { z } from "zod";
import { promptSchema } from "./prompts.ts";
import type { SummaryOptions } from "./ranges.ts";

/** The settings that every strategy with summaries has. */
export const summarySettings = {
  prompt: promptSchema.default("").describe("Instructions to the summariser. Blank: the strategy's own."),
  maxSummaryTokens: z
    .int()
    .min(50)
    .default(4_000)
    .describe("Longest summary, in tokens. It also never takes more than a quarter of the target."),
  profile: z.string().default("").describe("Profile that writes the summaries. Blank: the conversation's own."),
};

/** What those settings say. */
interface SummarySettings {
  readonly prompt: string;
  readonly maxSummaryTokens: number;
  readonly profile: string;
}

/** The wish that settings make, with the strategy's own prompt where they name none. */
export function summaryOptionsOf(
  { prompt, maxSummaryTokens, profile }: SummarySettings,
  ownPrompt: string,
): SummaryOptions {
  return {
    prompt: prompt.trim() === "" ? ownPrompt : prompt.trim(),
    maxTokens: maxSummaryTokens,
    ...(profile === "" ? {} : { profile }),
  };
}
