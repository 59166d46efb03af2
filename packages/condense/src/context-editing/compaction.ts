import type { Block, Compact, CompactionBlock, Conversation, Message } from "@longhaul/conversation";
import { nearestCut } from "../content/cuts.ts";
import type { Pass } from "../contract/strategy.ts";
import type { View } from "../contract/view.ts";
import type { Ask, Edit, MadeMessage } from "../edits/edit.ts";
import { SUMMARY_PROMPT } from "../summaries/prompts.ts";
import { askAboutMessages, type Range, rangesAround } from "../summaries/ranges.ts";

/** What the user seems to say must not pass for the user's own words. */
const HEADING = "Summary of the conversation so far:\n\n";

const MAX_SUMMARY_TOKENS = 4_000;

/**
 * Puts one summary in the place of the conversation so far. It tells of everything, so that it can stand for everything on later turns; the
 * user's latest words and what is to be answered now stay beside it.
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
  const isNew = ranges.some(({ from, to }) => indexes(from, to).some((index) => !view.isMade(index)));
  const wish = { prompt: instructions ?? SUMMARY_PROMPT, maxTokens: MAX_SUMMARY_TOKENS };
  const ask = isNew ? askAboutMessages(view, indexes(0, messages.length), wish) : undefined;
  return ask === undefined ? [] : replaceWith(summaryMessage(ask), ranges, messages);
}

/** What a summary of the first messages replaces: all of them but the user's latest words and what the model had to answer. */
function earlierRanges(view: View, count: number): Range[] {
  const isOwn = (own: boolean, index: number) => own && !view.isMade(index);
  const latestUserMessage = view.contents().userAuthored.slice(0, count).findLastIndex(isOwn);
  const to = nearestCut(view.cuts(), count - 1, "down");
  return rangesAround({ ...view, latestUserMessage }, { from: 0, to });
}

/** The summary stands where the latest of what it tells stood, unless the conversation would then open with the assistant. */
function replaceWith(made: MadeMessage, ranges: readonly Range[], messages: readonly Message[]): Edit[] {
  const isOpening = messages[ranges[0]?.to ?? 0]?.role === "assistant";
  const place = isOpening ? ranges[0] : ranges.at(-1);
  return ranges.map((range) => ({
    kind: "replace",
    ...range,
    with: range === place ? [made] : [],
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

/** The summary in a message that `compactPass` made, as a block that the client can send back. */
export function summaryOf({ blocks }: Message): CompactionBlock | undefined {
  const [block] = blocks;
  if (block?.type === "compaction") return block;
  if (block?.type !== "text" || !block.text.startsWith(HEADING)) return undefined;
  return { type: "compaction", text: block.text.slice(HEADING.length) };
}

/**
 * Puts the latest summary that the client sent back in the place of what it stands for, just as it stood there when it was made, so that
 * what is sent begins as it did then. A client may have left out what the summary stands for: then the summary alone is put there.
 */
export function resumeEdits(view: View): Edit[] {
  const { messages } = view.conversation;
  const at = messages.findLastIndex(({ blocks }) => blocks.some(isReadable));
  const summary = messages[at]?.blocks.findLast(isReadable);
  if (summary === undefined) return [];
  const ranges = earlierRanges(view, at);
  const places = ranges.length === 0 ? [{ from: at, to: at }] : ranges;
  const isKept = (index: number) => !ranges.some(({ from, to }) => from <= index && index < to);
  const kept = indexes(0, at + 1).filter(isKept);
  return [
    ...replaceWith(summaryMessage(summary.text), places, messages),
    ...kept.flatMap((index) => withoutCompactions(messages[index], index)),
  ];
}

/** Whether there is a summary that the client sent back. */
export function hasSummary({ messages }: Conversation): boolean {
  return messages.some(({ blocks }) => blocks.some(isReadable));
}

function isReadable(block: Block): block is CompactionBlock & { readonly text: string } {
  return block.type === "compaction" && block.text !== null && block.text.trim() !== "";
}

function withoutCompactions(message: Message | undefined, index: number): Edit[] {
  const blocks = message?.blocks ?? [];
  const sealed = [...blocks.keys()].filter((block) => blocks[block]?.type === "compaction");
  if (sealed.length === 0) return [];
  if (sealed.length === blocks.length) {
    return [{ kind: "replace", from: index, to: index + 1, with: [], reason: "summarize" }];
  }
  return sealed.map((block) => ({ kind: "remove", at: { message: index, block, path: [] }, reason: "summarize" }));
}

function indexes(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, offset) => from + offset);
}
