import { fields, numberBetween, setting } from "../contract/setting.ts";
import { defineStrategy } from "../contract/strategy.ts";
import { dropText, shortenOlderTools } from "../passes/drop-text.ts";

const schema = fields({
  startShare: setting(numberBetween(0, 0.9), 0.2),
});

/** Keeps the start and the end, and removes the least important content between them. */
export const middleOut = defineStrategy({
  id: "middle-out",
  name: "Middle-out",
  version: "1.0.0",
  capabilities: {
    lossless: false,
    batchMode: false,
    individualMode: false,
    multiPass: true,
    summarizes: false,
    speed: "fast",
  },
  schema,
  stopsAtTarget: true,
  passes: ({ startShare }) => [dropText(startShare), ...shortenOlderTools(startShare)],
});
