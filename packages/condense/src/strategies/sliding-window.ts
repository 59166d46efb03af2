import { z } from "zod";
import { defineStrategy } from "../contract/strategy.ts";
import { dropText } from "../passes/drop-text.ts";
import { keepLastPass } from "../passes/keep-last.ts";
import { shortenOlderTools } from "../passes/shorten-older.ts";

const schema = z.strictObject({
  keepLast: z
    .int()
    .min(0)
    .default(0)
    .describe("Most messages to keep, besides the user's latest. 0: as many as the target holds."),
});

/** Nothing of the start is kept for its own sake. */
const NO_START = 0;

/** Keeps the recent messages. */
export const slidingWindow = defineStrategy({
  id: "sliding-window",
  name: "Sliding window",
  description:
    "Keeps the recent messages. Older talk goes first; tool calls stay, with their old results shortened where that is not enough, unless a number of messages is set.",
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
  stopsAtTarget: false,
  passes: ({ keepLast }) => [
    ...(keepLast === 0 ? [] : [keepLastPass(keepLast)]),
    dropText(NO_START),
    ...shortenOlderTools(NO_START),
  ],
});
