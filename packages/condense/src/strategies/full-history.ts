import { fields } from "../contract/setting.ts";
import { defineStrategy } from "../contract/strategy.ts";

/** Never condenses. */
export const fullHistory = defineStrategy({
  id: "full-history",
  name: "Full history",
  description: "Never condenses. For models whose window is larger than any conversation you expect.",
  version: "1.0.0",
  capabilities: {
    lossless: true,
    batchMode: false,
    individualMode: false,
    multiPass: false,
    summarizes: false,
    speed: "fast",
  },
  guide: {
    loses: "none",
    chooseFor: "windows larger than any conversation",
    figures: {
      tokensLeftPercent: 100,
      milliseconds: 3,
      modelCalls: 0,
      costUsd: 0,
    },
  },
  schema: fields({}),
  stopsAtTarget: false,
  isFinal: true,
  passes: () => [],
});
