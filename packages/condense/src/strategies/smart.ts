import { defineStrategy } from "../contract/strategy.ts";
import { smartSchema } from "../smart/config.ts";
import { smartPasses } from "../smart/passes.ts";
import { CONTENT_PROMPT, SUMMARY } from "../summaries/prompts.ts";

/** Passes of the user's own over three kinds of content and four operations, with a lossless prelude. */
export const smart = defineStrategy({
  id: "smart",
  name: "Smart",
  description:
    "References instead of repeats, then passes that you choose: which contents they work on, what happens to each, and when.",
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
    loses: "little, as you choose",
    chooseFor: "almost everything: it keeps the most, and needs no model",
    figures: {
      tokensLeftPercent: 39.4,
      milliseconds: 124,
      modelCalls: 0,
      costUsd: 0,
      recallAtQuarter: 0.975,
    },
    recommendation: {
      rank: 20,
      reason: "it makes enough room step by step, beginning with what is missed least",
    },
    editor: "passes",
    prompts: [SUMMARY, { id: "content", use: "One text, such as what a tool answered", text: CONTENT_PROMPT }],
  },
  schema: smartSchema,
  // Every pass but the last says itself that it runs only over the target; references are made on whatever will be sent.
  stopsAtTarget: false,
  refersEarly: true,
  passes: smartPasses,
});
