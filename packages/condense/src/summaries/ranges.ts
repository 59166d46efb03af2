import type { Message } from "@longhaul/conversation";
import { z } from "zod";
import { nearestCut } from "../content/cuts.ts";
import type { View } from "../contract/view.ts";
import type { Ask, MadeMessage } from "../edits/edit.ts";
import { sum } from "../edits/lists.ts";
import { askFor, type SummaryRequest } from "./ask.ts";
import { promptSchema } from "./prompts.ts";

/** Messages `from` up to `to`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The positions in a range. */
export function indexesOf({ from, to }: Range): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset);
}

/** The positions as ranges, neighbours in one; they must be in order. */
export function rangesOf(indexes: Iterable<number>): Range[] {
  return joinRanges(Array.from(indexes, (index) => ({ from: index, to: index + 1 })));
}

/** Ranges with those in one that follow each other without a gap; they must be in order. */
export function joinRanges(ranges: Iterable<Range>): Range[] {
  const joined: Range[] = [];
  for (const range of ranges) {
    const last = joined.at(-1);
    if (last?.to === range.from) joined[joined.length - 1] = { from: last.from, to: range.to };
    else joined.push(range);
  }
  return joined;
}

/** How much is kept as it is at either end. */
interface KeptEnds {
  readonly preserveTop: number;
  readonly preserveBottom: number;
}

/** The messages between the kept start and the kept end; both grow to the next place where no tool pair is split. */
export function middleOf(view: View, { preserveTop, preserveBottom }: KeptEnds): Range {
  const { messages } = view.conversation;
  const from = nearestCut(view.cuts(), preserveTop, "up");
  let to = nearestCut(view.cuts(), messages.length - preserveBottom, "down");
  // Without a start that is kept, what is kept must open with the user.
  while (from === 0 && to > 0 && messages[to]?.role === "assistant") to = nearestCut(view.cuts(), to - 1, "down");
  return { from, to: Math.max(from, to) };
}

/** A range without the latest user message, which stays where it is: what may go before it and what may go after it. */
export function rangesAround(view: View, { from, to }: Range): Range[] {
  const latest = view.latestUserMessage;
  const isInside = from <= latest && latest < to;
  const ranges = isInside
    ? [
        { from, to: nearestCut(view.cuts(), latest, "down") },
        { from: nearestCut(view.cuts(), latest + 1, "up"), to },
      ]
    : [{ from, to }];
  return ranges.filter((range) => range.from < range.to);
}

/** Tokens of the messages in a range. */
export function tokensOf({ messageTokens }: View, { from, to }: Range): number {
  return sum(messageTokens.slice(from, to));
}

/** How a range is to be summarised. */
export type SummaryOptions = Pick<SummaryRequest, "prompt" | "maxTokens" | "profile">;

/** The ask for a summary of a range, as `askAboutMessages` makes it. */
export function askAbout(view: View, range: Range, wish: SummaryOptions): Ask | undefined {
  return askAboutMessages(view, indexesOf(range), wish);
}

/**
 * The ask for a summary of messages, by their indexes in order. A summary that already stands among them is brought up to date with the
 * others, and nothing is asked where there are none.
 */
export function askAboutMessages(view: View, indexes: readonly number[], wish: SummaryOptions): Ask | undefined {
  const known = indexes.findLast((index) => earlierSummary(view, index) !== undefined);
  const previous = known === undefined ? undefined : earlierSummary(view, known);
  const fresh = indexes.filter((index) => index !== known);
  if (fresh.length === 0) return undefined;
  const messages = fresh.flatMap((index) => view.conversation.messages[index] ?? []);
  const earlier = previous === undefined ? {} : { previous };
  return askFor({ ...limited(view, wish), messages, ...rangeOf(fresh), ...earlier }, view.counter);
}

/** The range of indexes that stand side by side. */
function rangeOf(indexes: readonly number[]): { range?: Range } {
  const [range, ...others] = rangesOf(indexes);
  return range === undefined || others.length > 0 ? {} : { range };
}

/** The ask for a summary of all messages in a range, whatever they are. */
export function askAnew(view: View, range: Range, wish: SummaryOptions & Pick<SummaryRequest, "previous">): Ask {
  const messages = view.conversation.messages.slice(range.from, range.to);
  return askFor({ ...limited(view, wish), messages, range }, view.counter);
}

/** A summary takes no more than this part of the target, whatever the configuration allows. */
const SUMMARY_OF_TARGET = 0.25;
const MIN_SUMMARY_TOKENS = 50;

function limited<Wish extends SummaryOptions>({ limits }: View, wish: Wish): Wish {
  const share = Math.max(MIN_SUMMARY_TOKENS, Math.floor(limits.targetTokens * SUMMARY_OF_TARGET));
  return { ...wish, maxTokens: Math.min(wish.maxTokens, share) };
}

/** The settings that every strategy with summaries has. */
export const summarySettings = {
  prompt: promptSchema.default("").describe("Instructions to the summariser. Blank: the strategy's own."),
  maxSummaryTokens: z
    .int()
    .min(50)
    .default(4_000)
    .describe("Longest summary, in tokens. It also never takes more than a quarter of the target."),
  profile: z.string().default("").describe("Profile that writes the summaries. Blank: the conversation's own."),
};

/** What those settings say. */
interface SummarySettings {
  readonly prompt: string;
  readonly maxSummaryTokens: number;
  readonly profile: string;
}

/** The wish that settings make, with the strategy's own prompt where they name none. */
export function summaryOptionsOf(
  { prompt, maxSummaryTokens, profile }: SummarySettings,
  ownPrompt: string,
): SummaryOptions {
  return {
    prompt: prompt.trim() === "" ? ownPrompt : prompt.trim(),
    maxTokens: maxSummaryTokens,
    ...(profile === "" ? {} : { profile }),
  };
}

/** Stands where messages were dropped, so that the model knows that something is missing. */
export function droppedNote(count: number): MadeMessage {
  const messages = count === 1 ? "1 earlier message" : `${count} earlier messages`;
  return { role: "user", parts: [`${NOTE_START}${messages} removed to fit the context window ⟩`] };
}

const NOTE_START = "⟨ ";

const SUMMARY_START = "[Earlier conversation summary: ";
const SUMMARY_END = "]";

/** Stands where messages were summarised. */
export function summaryNote(summary: string | Ask): MadeMessage {
  return { role: "system", parts: [SUMMARY_START, summary, SUMMARY_END] };
}

/** The text of the summary in a message that `summaryNote` made; nothing where it is no such message. */
export function summaryIn(message: Message): string | undefined {
  const text = onlyText(message);
  if (message.role !== "system" || !text?.startsWith(SUMMARY_START) || !text.endsWith(SUMMARY_END)) return undefined;
  return text.slice(SUMMARY_START.length, -SUMMARY_END.length);
}

/**
 * The summary that a message of a view is: one that an earlier pass or an earlier turn made, or one that the client marked as its own
 * (Roo's `isSummary`). Nothing for a message that somebody said, and for a note of dropped messages.
 */
export function earlierSummary(view: View, index: number): string | undefined {
  const message = view.conversation.messages[index];
  const text = message === undefined ? undefined : onlyText(message);
  if (message === undefined || text === undefined) return undefined;
  const isMarked = message.extra?.isSummary === true;
  const isOurs = view.isMade(index) && !text.startsWith(NOTE_START);
  return summaryIn(message) ?? (isMarked || isOurs ? text : undefined);
}

function onlyText({ blocks }: Message): string | undefined {
  const [block] = blocks;
  return blocks.length === 1 && block?.type === "text" ? block.text : undefined;
}
