import { nearestCut } from "../content/cuts.ts";
import { fields, setting, wholeNumber } from "../contract/setting.ts";
import { defineStrategy, type Pass } from "../contract/strategy.ts";
import type { View } from "../contract/view.ts";
import type { Edit } from "../edits/edit.ts";
import { dropRanges, dropText, shortenOlderTools } from "../passes/drop-text.ts";
import { rangesAround } from "../summaries/ranges.ts";

const schema = fields({
  keepLast: setting(wholeNumber(0), 0),
});

const NO_START = 0;

/** Keeps the recent messages. */
export const slidingWindow = defineStrategy({
  id: "sliding-window",
  name: "Sliding window",
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
  dropsTask: true,
  passes: ({ keepLast }) => [
    ...(keepLast === 0 ? [] : [keepLastPass(keepLast)]),
    dropText(NO_START),
    ...shortenOlderTools(NO_START),
  ],
});

/** Drops all but the last messages. No tool pair is split, and the latest user message stays. */
export function keepLastPass(count: number): Pass {
  return { id: "keep-last", name: `Keep the last ${count}`, plan: (view) => planWindow(view, count) };
}

function planWindow(view: View, count: number): Edit[] {
  const { messages } = view.conversation;
  const to = windowStart(view, messages.length - count);
  return dropRanges(view, rangesAround(view, { from: 0, to }));
}

/**
 * Returns the start of the last `count` messages: a pair at the boundary is dropped whole, unless nothing would be left. Before the latest
 * user message it is a message of the user, because a conversation opens with one.
 */
function windowStart(view: View, at: number): number {
  const { messages } = view.conversation;
  let start = nearestCut(view.cuts(), at, "up");
  while (start < view.latestUserMessage && messages[start]?.role === "assistant") {
    start = nearestCut(view.cuts(), start + 1, "up");
  }
  return start < messages.length ? start : nearestCut(view.cuts(), at, "down");
}
