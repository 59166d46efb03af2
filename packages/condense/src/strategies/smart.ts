import { defineStrategy } from "../contract/strategy.ts";
import { smartSchema } from "../smart/config.ts";
import { readSmartConfig } from "../smart/other-shapes.ts";
import { asksModel, smartPasses } from "../smart/passes.ts";
import { CONTENT_PROMPT, SUMMARY } from "../summaries/prompts.ts";

/** Configurable passes over three kinds of content with four operations, and a lossless prelude. */
export const smart = defineStrategy({
  id: "smart",
  name: "Smart",
  description:
    "Replaces repeated lines with references, then runs configurable passes. Each pass selects content, an operation and a condition.",
  version: "1.0.0",
  capabilities: {
    lossless: false,
    batchMode: true,
    individualMode: true,
    multiPass: true,
    summarizes: true,
    speed: "medium",
  },
  guide: {
    loses: "low (configurable)",
    chooseFor: "almost everything: it keeps the most, and needs no model",
    figures: {
      tokensLeftPercent: 39.4,
      milliseconds: 124,
      modelCalls: 0,
      costUsd: 0,
      recallAtQuarter: 0.994,
    },
    recommendation: {
      rank: 20,
      reason: "it frees enough tokens step by step, starting with the least important content",
    },
    editor: "passes",
    prompts: [SUMMARY, { id: "content", use: "One text, such as a tool result", text: CONTENT_PROMPT }],
  },
  schema: smartSchema,
  readConfig: readSmartConfig,
  // Every pass but the last checks itself whether the target is reached; references are added to whatever is sent.
  stopsAtTarget: false,
  refersEarly: true,
  passes: smartPasses,
  asksModel,
});
