import type { Content } from "../content/content.ts";
import type { Pass } from "../contract/strategy.ts";
import type { View } from "../contract/view.ts";
import type { Edit } from "../edits/edit.ts";
import { sum } from "../edits/lists.ts";
import { droppedNote } from "../summaries/notes.ts";
import { indexesOf, type Range, rangesOf, tokensOf } from "../summaries/ranges.ts";
import { type Kind, messageKinds, middleRange } from "./middle.ts";
import { editsOf, savingsUntil, spliceSaving } from "./savings.ts";
import { truncateHead } from "./shorten.ts";

/** Share of the budget that the user's older sentences may keep. */
const USER_SHARE = 0.1;

/** Characters left of what the assistant said beside a tool call. */
const REMARK_CHARS = 200;

/**
 * Drops talk from the middle of a conversation, oldest first, until the target is reached: first what the assistant said, last what the
 * user said, of which a tenth of the budget is kept. Messages with tool calls or results stay; a note stands for those that went.
 */
export function dropText(startShare: number): Pass {
  return { id: "drop-text", name: "Drop older talk", plan: (view) => planDrops(view, startShare) };
}

function planDrops(view: View, startShare: number): Edit[] {
  const middle = indexesOf(middleRange(view, startShare));
  const kinds = messageKinds(view);
  const over = view.tokens - view.limits.targetTokens;
  const dropped = new Set<number>();
  const assistantTokens = dropUntil(
    view,
    middle.filter((index) => kinds[index] === "assistant"),
    { over, dropped },
  );
  const remarks = shortenRemarks(view, middle, { kinds, over: over - assistantTokens });
  dropUntil(view, droppableWords(view, middle, kinds), { over: over - assistantTokens - remarks.tokens, dropped });
  return [...dropRanges(view, rangesOf([...dropped].sort((a, b) => a - b))), ...remarks.edits];
}

/** Adds messages to those that are dropped until they save what is over; says what they save, less what their notes cost. */
function dropUntil(
  view: View,
  candidates: readonly number[],
  { over, dropped }: { readonly over: number; readonly dropped: Set<number> },
): number {
  const note = noteTokens(view, candidates.length);
  let saved = 0;
  for (const index of candidates) {
    if (saved >= over) break;
    if (view.cuts()[index] !== true || view.cuts()[index + 1] !== true) continue;
    const joined = Number(dropped.has(index - 1)) + Number(dropped.has(index + 1));
    saved += (view.messageTokens[index] ?? 0) - (1 - joined) * note;
    dropped.add(index);
  }
  return saved;
}

/** What the user said in the middle, but for the newest sentences that a tenth of the budget holds; oldest first. */
function droppableWords(view: View, middle: readonly number[], kinds: readonly Kind[]): number[] {
  let left = view.limits.budgetTokens * USER_SHARE;
  const words = middle.filter((index) => kinds[index] === "user");
  const lastGone = words.findLastIndex((index) => {
    left -= view.messageTokens[index] ?? 0;
    return left < 0;
  });
  return words.slice(0, lastGone + 1);
}

/** Cuts what the assistant said beside its tool calls down to a beginning. */
function shortenRemarks(
  view: View,
  middle: readonly number[],
  { kinds, over }: { readonly kinds: readonly Kind[]; readonly over: number },
): { edits: readonly Edit[]; tokens: number } {
  const inMiddle = new Set(middle);
  const isRemark = ({ at, level, role }: Content) =>
    level === "text" && role === "assistant" && inMiddle.has(at.message) && kinds[at.message] === "tool";
  const savings = savingsUntil(over, view.contents().contents.filter(isRemark), (content) =>
    spliceSaving(content, truncateHead(content.text, { maxChars: REMARK_CHARS }, content.from), view.counter),
  );
  return { edits: editsOf(savings), tokens: sum(savings.map((saving) => saving.tokens)) };
}

/** What a message costs besides its text, at most. */
const MESSAGE_OVERHEAD = 8;

/** What a note costs that stands for so many messages. */
export function noteTokens({ counter }: View, count: number): number {
  return counter.countText(droppedNote(count).parts.join("")) + MESSAGE_OVERHEAD;
}

/** Puts a note in the place of each range; one that its note would outweigh stays. */
export function dropRanges(view: View, ranges: readonly Range[]): Edit[] {
  return ranges.flatMap((range): Edit[] => {
    const count = range.to - range.from;
    if (tokensOf(view, range) <= noteTokens(view, count)) return [];
    return [{ kind: "replace", ...range, with: [droppedNote(count)], reason: "drop" }];
  });
}
