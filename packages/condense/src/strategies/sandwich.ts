import { fields, setting, wholeNumber } from "../contract/setting.ts";
import type { OutputOf } from "../contract/standard-schema.ts";
import { defineStrategy, parseConfig } from "../contract/strategy.ts";
import type { View } from "../contract/view.ts";
import type { Edit } from "../edits/edit.ts";
import { SANDWICH_PROMPT } from "../summaries/prompts.ts";
import { middleOf, rangesAround, summaryNote, summaryOptionsOf, summarySettings } from "../summaries/ranges.ts";
import { keptUserMessages, summarizeRange, userMessageSettings } from "../summaries/user-messages.ts";

const schema = fields({
  preserveTop: setting(wholeNumber(0), 5),
  preserveBottom: setting(wholeNumber(0), 5),
  ...summarySettings,
  ...userMessageSettings,
});

type SandwichConfig = OutputOf<typeof schema>;

/** Parses a configuration of `sandwich` and fills in defaults. */
export function sandwichConfig(config: unknown): SandwichConfig {
  return parseConfig({ id: "sandwich", schema }, config);
}

/** Keeps the start and the end, and summarizes the messages between them. */
export const sandwich = defineStrategy({
  id: "sandwich",
  name: "Sandwich",
  version: "1.0.0",
  capabilities: {
    lossless: false,
    batchMode: true,
    individualMode: false,
    multiPass: false,
    summarizes: true,
    speed: "slow",
  },
  schema,
  thresholdPercent: 70,
  stopsAtTarget: true,
  passes: (config) => [
    { id: "summarize-middle", name: "Summarize the middle", plan: (view) => planSandwich(view, config) },
  ],
});

function planSandwich(view: View, config: SandwichConfig): Edit[] {
  const options = summaryOptionsOf(config, SANDWICH_PROMPT);
  const middle = middleOf(view, config);
  const kept = keptUserMessages(view, middle, config.userShare);
  return rangesAround(view, middle).flatMap((range) =>
    summarizeRange(view, { ...range, kept, options, write: summaryNote }),
  );
}
