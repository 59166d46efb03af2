import { z } from "zod";
import { defineStrategy } from "../contract/strategy.ts";
import { dropText, shortenOlderTools } from "../passes/drop-text.ts";

const schema = z.strictObject({
  startShare: z
    .number()
    .min(0)
    .max(0.5)
    .default(0.2)
    .describe("Share of the target that the start of the conversation keeps, 0 to 0.5."),
});

/** Keeps the start and the end, and takes from the middle what matters least. */
export const middleOut = defineStrategy({
  id: "middle-out",
  name: "Middle out",
  description:
    "Keeps the start and the end of the conversation and every tool call; takes talk out of the middle, and shortens old tool results where that is not enough.",
  version: "1.0.0",
  capabilities: {
    lossless: false,
    batchMode: false,
    individualMode: false,
    multiPass: true,
    summarizes: false,
    speed: "fast",
  },
  guide: {
    loses: "much",
    chooseFor: "a gateway with nothing configured",
    figures: {
      tokensLeftPercent: 50,
      milliseconds: 35,
      modelCalls: 0,
      costUsd: 0,
      recallAtQuarter: 0.794,
    },
    recommendation: {
      rank: 70,
      reason: "it makes enough room without a model; the beginning and the end stay",
    },
    firstSettings: ["startShare"],
  },
  schema,
  stopsAtTarget: true,
  passes: ({ startShare }) => [dropText(startShare), ...shortenOlderTools(startShare)],
});
