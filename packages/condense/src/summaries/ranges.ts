import type { Message } from "@longhaul/conversation";
import { nearestCut } from "../content/cuts.ts";
import { setting, text, wholeNumber } from "../contract/setting.ts";
import type { View } from "../contract/view.ts";
import type { Ask, MadeMessage } from "../edits/edit.ts";
import { sum } from "../edits/lists.ts";
import { closesList, isTodoList } from "../facts/fact.ts";
import { askFor, type SummaryRequest } from "./ask.ts";
import { promptSchema } from "./prompts.ts";

/** Messages `from` up to `to`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export function indexesOf({ from, to }: Range): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset);
}

/** Joins indexes, which must be in order, into ranges. */
export function rangesOf(indexes: Iterable<number>): Range[] {
  return joinRanges(Array.from(indexes, (index) => ({ from: index, to: index + 1 })));
}

/** Joins adjacent ranges, which must be in order. */
export function joinRanges(ranges: Iterable<Range>): Range[] {
  const joined: Range[] = [];
  for (const range of ranges) {
    const last = joined.at(-1);
    if (last?.to === range.from) joined[joined.length - 1] = { from: last.from, to: range.to };
    else joined.push(range);
  }
  return joined;
}

/** Number of messages kept at either end. */
interface KeptEnds {
  readonly preserveTop: number;
  readonly preserveBottom: number;
}

/** Returns the range between the kept start and the kept end; both grow until no tool pair is split. */
export function middleOf(view: View, { preserveTop, preserveBottom }: KeptEnds): Range {
  const { messages } = view.conversation;
  const from = nearestCut(view.cuts(), preserveTop, "up");
  let to = nearestCut(view.cuts(), messages.length - preserveBottom, "down");
  // If no start is kept, the kept end must open with a user message.
  while (from === 0 && to > 0 && messages[to]?.role === "assistant") to = nearestCut(view.cuts(), to - 1, "down");
  return { from, to: Math.max(from, to) };
}

/** Splits a range around the first and the latest user message, which are kept. */
export function rangesAround(view: View, range: Range): Range[] {
  return rangesBetween(view, range, new Set([view.firstUserMessage, view.latestUserMessage]));
}

/** Splits a range around kept messages, given by their indexes in order. A tool pair with a kept message is kept whole. */
export function rangesBetween(view: View, { from, to }: Range, keptIndexes: ReadonlySet<number>): Range[] {
  const kept = [...keptIndexes].filter((index) => from <= index && index < to);
  const ranges: Range[] = [];
  let start = from;
  for (const index of kept) {
    ranges.push({ from: start, to: nearestCut(view.cuts(), index, "down") });
    start = nearestCut(view.cuts(), index + 1, "up");
  }
  return [...ranges, { from: start, to }].filter((range) => range.from < range.to);
}

export function tokensOf({ messageTokens }: View, { from, to }: Range): number {
  return sum(messageTokens.slice(from, to));
}

/** How to summarize a range. */
export type SummaryOptions = Pick<SummaryRequest, "prompt" | "maxTokens" | "profile">;

/**
 * Creates an ask for a summary of messages, given by their indexes in order. If there is an earlier summary among them, the ask updates it.
 * Those that stay in the conversation are marked as kept. Returns undefined if there is nothing new.
 */
export function askAboutMessages(
  view: View,
  indexes: readonly number[],
  { staying, ...options }: SummaryOptions & { readonly staying?: ReadonlySet<number> },
): Ask | undefined {
  const known = indexes.findLast((index) => earlierSummary(view, index) !== undefined);
  const previous = known === undefined ? undefined : earlierSummary(view, known);
  const fresh = indexes.filter((index) => index !== known);
  if (fresh.length === 0) return undefined;
  const messages = fresh.flatMap((index) => view.conversation.messages[index] ?? []);
  const kept = fresh.flatMap((index, position) => (staying?.has(index) === true ? [position] : []));
  const more = {
    ...(previous === undefined ? {} : { previous }),
    ...(kept.length === 0 ? {} : { kept }),
    ...(hasListAfter(view, fresh.at(-1) ?? 0) ? { hasLaterList: true } : {}),
    ...(hasAnswerAfter(view, fresh.at(-1) ?? 0) ? { hasLaterAnswer: true } : {}),
  };
  return askFor({ ...limited(view, options), messages, ...rangeOf(fresh), ...more }, view.counter);
}

function hasListAfter(view: View, index: number): boolean {
  return view.contents().contents.some(({ level, at, use }) => {
    if (at.message <= index || use === undefined) return false;
    return closesList(use) || (level === "parameters" && isTodoList(use));
  });
}

function hasAnswerAfter(view: View, index: number): boolean {
  return view.contents().contents.some(({ level, role, at }) => {
    return level === "text" && role === "assistant" && at.message > index;
  });
}

/** Returns the range of the indexes if they are contiguous. */
function rangeOf(indexes: readonly number[]): { range?: Range } {
  const [range, ...others] = rangesOf(indexes);
  return range === undefined || others.length > 0 ? {} : { range };
}

/** Creates an ask for a summary of messages, given by their indexes in order, including earlier summaries. */
export function askFromScratch(view: View, indexes: readonly number[], options: SummaryOptions): Ask {
  const messages = indexes.flatMap((index) => view.conversation.messages[index] ?? []);
  return askFor({ ...limited(view, options), messages, ...rangeOf(indexes) }, view.counter);
}

/** Largest share of the target that a summary takes, whatever the configuration allows. */
const SUMMARY_OF_TARGET = 0.25;
const MIN_SUMMARY_TOKENS = 50;

function limited<Options extends SummaryOptions>({ limits }: View, options: Options): Options {
  const share = Math.max(MIN_SUMMARY_TOKENS, Math.floor(limits.targetTokens * SUMMARY_OF_TARGET));
  return { ...options, maxTokens: Math.min(options.maxTokens, share) };
}

/** Settings of every strategy with summaries. */
export const summarySettings = {
  prompt: setting(promptSchema, ""),
  maxSummaryTokens: setting(wholeNumber(50), 4_000),
  profile: setting(text, ""),
};

interface SummarySettings {
  readonly prompt: string;
  readonly maxSummaryTokens: number;
  readonly profile: string;
}

/** Converts the settings; a blank prompt means the strategy's own, and a blank profile the default. */
export function summaryOptionsOf(
  { prompt, maxSummaryTokens, profile }: SummarySettings,
  ownPrompt: string,
): SummaryOptions {
  return {
    prompt: prompt.trim() || ownPrompt,
    maxTokens: maxSummaryTokens,
    ...(profile.trim() === "" ? {} : { profile: profile.trim() }),
  };
}

const SUMMARY_START = "[Earlier conversation summary: ";
const SUMMARY_END = "]";

/** Returns the message that replaces summarized messages. */
export function summaryNote(summary: string | Ask): MadeMessage {
  return { role: "system", parts: [SUMMARY_START, summary, SUMMARY_END] };
}

/** Returns the summary in a message created by `summaryNote`, or undefined for any other message. */
export function summaryIn(message: Message): string | undefined {
  const text = onlyText(message);
  if (message.role !== "system" || !text?.startsWith(SUMMARY_START) || !text.endsWith(SUMMARY_END)) return undefined;
  return text.slice(SUMMARY_START.length, -SUMMARY_END.length);
}

/** Returns a message's text if it is a summary: from an earlier pass or turn, or marked by the client (Roo's `isSummary`). */
export function earlierSummary(view: View, index: number): string | undefined {
  const message = view.conversation.messages[index];
  const text = message === undefined ? undefined : onlyText(message);
  if (message === undefined || text === undefined) return undefined;
  const isMarked = message.extra?.isSummary === true;
  return summaryIn(message) ?? (isMarked || view.isMade(index) ? text : undefined);
}

function onlyText({ blocks }: Message): string | undefined {
  const [block] = blocks;
  return blocks.length === 1 && block?.type === "text" ? block.text : undefined;
}
