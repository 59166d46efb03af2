import { fields, numberBetween, setting } from "../contract/setting.ts";
import { defineStrategy } from "../contract/strategy.ts";
import { dropText, shortenOlderTools } from "../passes/drop-text.ts";

const schema = fields({
  startShare: setting(
    numberBetween(0, 0.9),
    0.2,
    "Share of the target kept at the start of the conversation, 0 to 0.9.",
  ),
});

/** Keeps the start and the end, and removes the least important content between them. */
export const middleOut = defineStrategy({
  id: "middle-out",
  name: "Middle-out",
  description:
    "Keeps the start, the end and every tool call of the conversation; drops text from the middle, and shortens old tool results if that is not enough.",
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
    loses: "high",
    chooseFor: "sessions that must keep every tool call",
    figures: {
      tokensLeftPercent: 50,
      milliseconds: 35,
      modelCalls: 0,
      costUsd: 0,
      recallAtQuarter: 0.958,
    },
    recommendation: {
      rank: 70,
      reason: "it frees enough tokens without a model call; the start and the end are kept",
    },
    firstSettings: ["startShare"],
  },
  schema,
  stopsAtTarget: true,
  passes: ({ startShare }) => [dropText(startShare), ...shortenOlderTools(startShare)],
});
