import { defineStrategy } from "../contract/strategy.ts";
import { smartSchema } from "../smart/config.ts";
import { readSmartConfig } from "../smart/other-shapes.ts";
import { asksModel, smartPasses } from "../smart/passes.ts";

/** Configurable passes over three kinds of content with four operations, and a lossless prelude. */
export const smart = defineStrategy({
  id: "smart",
  name: "Smart",
  version: "1.0.0",
  capabilities: {
    lossless: false,
    batchMode: true,
    individualMode: true,
    multiPass: true,
    summarizes: true,
    speed: "medium",
  },
  schema: smartSchema,
  readConfig: readSmartConfig,
  // Every pass but the last checks itself whether the target is reached; references are added to whatever is sent.
  stopsAtTarget: false,
  refersEarly: true,
  passes: smartPasses,
  asksModel,
});
