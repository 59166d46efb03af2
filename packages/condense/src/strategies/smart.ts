import { defineStrategy } from "../contract/strategy.ts";
import { smartSchema } from "../smart/config.ts";
import { smartPasses } from "../smart/passes.ts";

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
  schema: smartSchema,
  // Every pass but the last says itself that it runs only over the target; references are made on whatever will be sent.
  stopsAtTarget: false,
  refersEarly: true,
  passes: smartPasses,
});
