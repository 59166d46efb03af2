import { nearestCut } from "../content/cuts.ts";
import type { Pass } from "../contract/strategy.ts";
import type { View } from "../contract/view.ts";
import type { Edit } from "../edits/edit.ts";
import { rangesAround } from "../summaries/ranges.ts";
import { dropRanges } from "./drop-range.ts";

/** Drops all but the last messages. No tool pair is split, and the user's latest words stay where they are. */
export function keepLastPass(count: number): Pass {
  return { id: "keep-last", name: `Keep the last ${count}`, plan: (view) => planWindow(view, count) };
}

function planWindow(view: View, count: number): Edit[] {
  const { messages } = view.conversation;
  const to = windowStart(view, messages.length - count);
  return dropRanges(view, rangesAround(view, { from: 0, to }));
}

/** At most so many messages: a pair that would be split goes whole, unless nothing were left. */
function windowStart(view: View, at: number): number {
  const start = nearestCut(view.cuts(), at, "up");
  return start < view.conversation.messages.length ? start : nearestCut(view.cuts(), at, "down");
}
