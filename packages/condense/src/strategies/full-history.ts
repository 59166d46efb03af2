import { fields } from "../contract/setting.ts";
import { defineStrategy } from "../contract/strategy.ts";

/** Never condenses. */
export const fullHistory = defineStrategy({
  id: "full-history",
  name: "Full history",
  version: "1.0.0",
  capabilities: {
    lossless: true,
    batchMode: false,
    individualMode: false,
    multiPass: false,
    summarizes: false,
    speed: "fast",
  },
  schema: fields({}),
  stopsAtTarget: false,
  isFinal: true,
  passes: () => [],
});
