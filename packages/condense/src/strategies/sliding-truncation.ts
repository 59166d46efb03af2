import { nearestCut } from "../content/cuts.ts";
import { fields, numberBetween, setting } from "../contract/setting.ts";
import { defineStrategy } from "../contract/strategy.ts";
import type { View } from "../contract/view.ts";
import type { Edit } from "../edits/edit.ts";
import { dropRanges } from "../passes/drop-text.ts";
import { rangesAround } from "../summaries/ranges.ts";

const schema = fields({
  removeShare: setting(numberBetween(0.1, 0.9), 0.5),
});

/** The number of messages that are always kept at the start. */
const KEPT_AT_START = 1;

/** Keeps the first message and removes the older half of those after it: Roo Code's behavior if a summary fails. */
export const slidingTruncation = defineStrategy({
  id: "sliding-truncation",
  name: "Sliding truncation",
  version: "1.0.0",
  capabilities: {
    lossless: false,
    batchMode: false,
    individualMode: false,
    multiPass: false,
    summarizes: false,
    speed: "fast",
  },
  schema,
  stopsAtTarget: true,
  passes: ({ removeShare }) => [
    { id: "remove-older", name: "Remove the older messages", plan: (view) => planTruncation(view, removeShare) },
  ],
});

function planTruncation(view: View, removeShare: number): Edit[] {
  const others = view.conversation.messages.length - KEPT_AT_START;
  const from = nearestCut(view.cuts(), KEPT_AT_START, "up");
  const to = evenEnd(view, from, KEPT_AT_START + Math.floor(others * removeShare));
  return dropRanges(view, rangesAround(view, { from, to }));
}

/** Returns the last legal cut up to `to` that an even number of messages precedes, so that the roles still alternate. */
function evenEnd(view: View, from: number, to: number): number {
  let end = nearestCut(view.cuts(), to, "down");
  while (end > from && (end - from) % 2 !== 0) end = nearestCut(view.cuts(), end - 1, "down");
  return Math.max(from, end);
}
