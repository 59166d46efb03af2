import type { Block, Compact, CompactionBlock, Conversation, Message } from "@longhaul/conversation/advanced";
import { nearestCut } from "../content/cuts.ts";
import type { Pass } from "../contract/strategy.ts";
import type { View } from "../contract/view.ts";
import type { Ask, Edit, MadeMessage } from "../edits/edit.ts";
import { SUMMARY_PROMPT } from "../summaries/prompts.ts";
import { askAboutMessages, indexesOf, type Range, rangesAround } from "../summaries/ranges.ts";

/** Prevents the summary from being mistaken for the user's own text. */
const HEADING = "Summary of the conversation so far:\n\n";

const MAX_SUMMARY_TOKENS = 4_000;

/**
 * Replaces the conversation so far with one summary. It covers everything, so that it can replace everything on later turns; the latest
 * user message and the messages to answer stay.
 */
export function compactPass(edit: Compact): Pass {
  return {
    id: edit.kind,
    name: "Compact",
    applies: (view) => view.tokens > edit.overTokens,
    plan: (view) => planCompact(view, edit),
    objections: objectionsTo,
  };
}

function planCompact(view: View, { instructions }: Compact): Edit[] {
  const { messages } = view.conversation;
  const ranges = earlierRanges(view, messages.length);
  const isNew = ranges.some(({ from, to }) => indexesOf({ from, to }).some((index) => !view.isMade(index)));
  const options = { prompt: instructions ?? SUMMARY_PROMPT, maxTokens: MAX_SUMMARY_TOKENS };
  const ask = isNew ? askAboutMessages(view, indexesOf({ from: 0, to: messages.length }), options) : undefined;
  return ask === undefined ? [] : replaceWith(summaryMessage(ask), ranges, messages);
}

/** Returns the ranges that a summary of the first messages replaces: all but the latest user message and the messages to answer. */
function earlierRanges(view: View, count: number): Range[] {
  const isOwn = (own: boolean, index: number) => own && !view.isMade(index);
  const latestUserMessage = view.contents().userAuthored.slice(0, count).findLastIndex(isOwn);
  const to = nearestCut(view.cuts(), count - 1, "down");
  return rangesAround({ ...view, latestUserMessage, firstUserMessage: -1 }, { from: 0, to });
}

/** Puts the summary in place of the last range, or of the first one if the conversation would otherwise start with the assistant. */
function replaceWith(made: MadeMessage, ranges: readonly Range[], messages: readonly Message[]): Edit[] {
  const isOpening = messages[ranges[0]?.to ?? 0]?.role === "assistant";
  const target = isOpening ? ranges[0] : ranges.at(-1);
  return ranges.map((range) => ({
    kind: "replace",
    ...range,
    with: range === target ? [made] : [],
    reason: "summarize",
  }));
}

function summaryMessage(summary: string | Ask): MadeMessage {
  return { role: "user", parts: [HEADING, summary] };
}

function objectionsTo(before: View, after: Conversation): string[] {
  const known = new Set(before.conversation.messages);
  const isEmpty = after.messages.some((message) => !known.has(message) && summaryOf(message)?.text?.trim() === "");
  return isEmpty ? ["the summary is empty"] : [];
}

/** Returns the summary in a message created by `compactPass`, as a block for the client to send back. */
export function summaryOf({ blocks }: Message): CompactionBlock | undefined {
  const [block] = blocks;
  if (block?.type === "compaction") return block;
  if (block?.type !== "text" || !block.text.startsWith(HEADING)) return undefined;
  return { type: "compaction", text: block.text.slice(HEADING.length) };
}

/**
 * Puts the latest summary that the client sent back where it was when it was created, so that the prompt starts with the same bytes. If the
 * client has dropped the summarized messages, only the summary is inserted.
 */
export function resumeEdits(view: View): Edit[] {
  const { messages } = view.conversation;
  const at = messages.findLastIndex(({ blocks }) => blocks.some(isReadable));
  const summary = messages[at]?.blocks.findLast(isReadable);
  if (summary === undefined) return [];
  const ranges = earlierRanges(view, at);
  const targets = ranges.length === 0 ? [{ from: at, to: at }] : ranges;
  const isKept = (index: number) => !ranges.some(({ from, to }) => from <= index && index < to);
  const kept = indexesOf({ from: 0, to: at + 1 }).filter(isKept);
  return [
    ...replaceWith(summaryMessage(summary.text), targets, messages),
    ...kept.flatMap((index) => withoutCompactions(messages[index], index)),
  ];
}

/** Whether the client sent a summary back. */
export function hasSummary({ messages }: Conversation): boolean {
  return messages.some(({ blocks }) => blocks.some(isReadable));
}

function isReadable(block: Block): block is CompactionBlock & { readonly text: string } {
  return block.type === "compaction" && block.text !== null && block.text.trim() !== "";
}

function withoutCompactions(message: Message | undefined, index: number): Edit[] {
  const blocks = message?.blocks ?? [];
  const compactions = [...blocks.keys()].filter((block) => blocks[block]?.type === "compaction");
  if (compactions.length === 0) return [];
  if (compactions.length === blocks.length) {
    return [{ kind: "replace", from: index, to: index + 1, with: [], reason: "summarize" }];
  }
  return compactions.map((block) => ({ kind: "remove", at: { message: index, block, path: [] }, reason: "summarize" }));
}
