import type { Message } from "@longhaul/conversation";
import { nearestCut } from "../content/cuts.ts";
import { numberBetween, setting } from "../contract/setting.ts";
import type { View } from "../contract/view.ts";
import type { Ask, Edit, MadeMessage } from "../edits/edit.ts";
import { sum } from "../edits/lists.ts";
import {
  askAboutMessages,
  earlierSummary,
  indexesOf,
  type Range,
  rangesBetween,
  type SummaryOptions,
  tokensOf,
} from "./ranges.ts";

/** Setting of every strategy that replaces a range of messages with a summary. */
export const userMessageSettings = {
  userShare: setting(numberBetween(0, 1), 0.2),
};

/** Largest share of the target for the user's messages, whatever the configuration allows. */
const MAX_TARGET_SHARE = 0.5;

/**
 * Returns the messages in a range that stay verbatim, in order: the shortest ones of the user that fit the share together, with the tool
 * pairs that they belong to, and the assistant's latest answer, unless it is after the range.
 */
export function keptUserMessages(view: View, range: Range, share: number): ReadonlySet<number> {
  const { budgetTokens, targetTokens } = view.limits;
  const { userAuthored } = view.contents();
  let room = Math.min(share * budgetTokens, MAX_TARGET_SHARE * targetTokens);
  const own = indexesOf(range).filter(
    (index) => userAuthored[index] === true && earlierSummary(view, index) === undefined,
  );
  const sizes = own.map((index) => ({ index, tokens: tokensOf(view, pairAround(view, index)) }));
  const kept = sizes
    .sort((a, b) => a.tokens - b.tokens || b.index - a.index)
    .filter(({ tokens }) => {
      room -= tokens;
      return room >= 0;
    });
  const answer = share === 0 ? [] : latestAnswer(view, range);
  return new Set([...kept.map(({ index }) => index), ...answer].sort((a, b) => a - b));
}

/** A shorter answer only confirms. */
const ANSWER_CHARACTERS = 60;
const MAX_ANSWER_SHARE = 0.05;

/** Returns the assistant's latest answer if it is in a range and short: a summary in its place would look like the answer itself. */
function latestAnswer({ conversation, messageTokens, limits }: View, { from, to }: Range): number[] {
  const latest = conversation.messages.findLastIndex(isAnswer);
  const isShort = (messageTokens[latest] ?? 0) <= MAX_ANSWER_SHARE * limits.targetTokens;
  return from <= latest && latest < to && isShort ? [latest] : [];
}

function isAnswer({ role, blocks }: Message): boolean {
  const characters = sum(blocks.map((block) => (block.type === "text" ? block.text.trim().length : 0)));
  return role === "assistant" && characters >= ANSWER_CHARACTERS && blocks.every(({ type }) => type !== "tool-call");
}

function pairAround(view: View, index: number): Range {
  return { from: nearestCut(view.cuts(), index, "down"), to: nearestCut(view.cuts(), index + 1, "up") };
}

/** A range to summarize. */
export interface SummarizedRange extends Range {
  /** Messages of the range that stay, in order. */
  readonly kept: ReadonlySet<number>;
  readonly options: SummaryOptions;
  /** Returns the message with the summary, which replaces the messages `from` up to `to`. */
  write(ask: Ask, replaced: Range): MadeMessage;
}

/**
 * Replaces a range with one summary. Kept messages stay in order, and the summary is placed after them, in place of the last messages that
 * go. The summarizer reads the kept messages too, unless an earlier summary is already about them. Plans nothing if there is nothing new.
 */
export function summarizeRange(view: View, { kept, options, write, ...range }: SummarizedRange): Edit[] {
  const ranges = rangesBetween(view, range, kept);
  const gone = new Set(ranges.flatMap(indexesOf));
  const earlier = [...gone].findLast((index) => earlierSummary(view, index) !== undefined) ?? -1;
  const last = ranges.at(-1);
  if (last === undefined || [...gone].every((index) => index === earlier)) return [];
  const staying = new Set(indexesOf(range).filter((index) => !gone.has(index)));
  const read = indexesOf(range).filter((index) => index > earlier || !staying.has(index));
  const ask = askAboutMessages(view, read, { ...options, staying });
  if (ask === undefined) return [];
  const made = write(ask, last);
  return ranges.map((part) => ({
    kind: "replace",
    ...part,
    with: part === last ? [ranges.length === 1 ? made : { ...made, since: ranges[0]?.from ?? last.from }] : [],
    reason: "summarize",
  }));
}
