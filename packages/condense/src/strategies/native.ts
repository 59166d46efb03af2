import { type Conversation, LonghaulError, type Role } from "@longhaul/conversation";
import { nearestCut } from "../content/cuts.ts";
import { fields } from "../contract/setting.ts";
import type { OutputOf } from "../contract/standard-schema.ts";
import { defineStrategy } from "../contract/strategy.ts";
import type { View } from "../contract/view.ts";
import type { Ask, Edit, MadeMessage } from "../edits/edit.ts";
import { SUMMARY_PROMPT } from "../summaries/prompts.ts";
import {
  earlierSummary,
  indexesOf,
  type Range,
  rangesAround,
  summaryOptionsOf,
  summarySettings,
} from "../summaries/ranges.ts";
import { keptUserMessages, summarizeRange, userMessageSettings } from "../summaries/user-messages.ts";

/** Messages of the reference implementation for skipped attempts. */
const NATIVE_ERRORS = {
  notEnough: "Not enough messages to condense context",
  recently: "Context was condensed recently; skipping this attempt",
  grown: "Context size increased during condensing; skipping this attempt",
  empty: "Failed to condense context",
} as const;

const KEPT_AT_START = 1;
const KEPT_AT_END = 3;

/** With this many messages or fewer there is nothing between the kept start and end. */
const TOO_FEW = KEPT_AT_START + KEPT_AT_END;

const schema = fields({ ...summarySettings, ...userMessageSettings });

type NativeConfig = OutputOf<typeof schema>;

/**
 * Keeps the first message, the user's shorter ones, one summary and the last three. With `userShare: 0`, it behaves like Roo Code before it
 * had strategies.
 */
export const native = defineStrategy({
  id: "native",
  name: "Native",
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
  stopsAtTarget: true,
  passes: (config) => [
    {
      id: "summarize",
      name: "Summarize",
      plan: (view) => planNative(view, config),
      objections: objectionsTo,
    },
  ],
});

function planNative(view: View, config: NativeConfig): Edit[] {
  const range = { from: endOfStart(view), to: endOfSummarized(view) };
  refuseTooEarly(view, range);
  const kept = keptUserMessages(view, range, config.userShare);
  const options = summaryOptionsOf(config, SUMMARY_PROMPT);
  const write = (ask: Ask, replaced: Range) => summaryMessage(view, ask, replaced);
  const edits = rangesAround(view, range).flatMap((part) => summarizeRange(view, { ...part, kept, options, write }));
  if (edits.length === 0) throw refusal(NATIVE_ERRORS.notEnough);
  return edits;
}

function summaryMessage(view: View, ask: Ask, replaced: Range): MadeMessage {
  const role = summaryRole(view, replaced);
  // Prevents the summary from being mistaken for the user's own text.
  const heading = role === "user" ? ["## Conversation summary\n"] : [];
  return { role, parts: [...heading, withStart(view, ask)] };
}

/** Returns the end of the first message, including its tool pair. */
function endOfStart(view: View): number {
  return nearestCut(view.cuts(), KEPT_AT_START, "up");
}

/** The summarizer also reads the kept start, because a summary needs the task. */
function withStart(view: View, ask: Ask): Ask {
  const isFromStart = ask.previous === undefined && ask.range?.from === endOfStart(view);
  if (!isFromStart || ask.range === undefined) return ask;
  const { from, to } = ask.range;
  const kept = [...indexesOf({ from: 0, to: from }), ...(ask.kept ?? []).map((index) => index + from)];
  return { ...ask, messages: view.conversation.messages.slice(0, to), range: { from: 0, to }, kept };
}

/** How far to look back for an end that a user message follows, before the summary becomes a user message. */
const LOOK_BACK = 3;

/** Returns where the kept end starts: three messages from the end, or earlier, so that no tool pair is split and a user message follows. */
function endOfSummarized(view: View): number {
  const { messages } = view.conversation;
  const nearest = nearestCut(view.cuts(), messages.length - KEPT_AT_END, "down");
  const least = Math.max(KEPT_AT_START, latestSummary(view) + 1);
  for (let end = nearest; end > nearest - LOOK_BACK && end > least; end--) {
    if (view.cuts()[end] === true && messages[end]?.role !== "assistant") return end;
  }
  return nearest;
}

/** The summary is an assistant message, unless two of them would become adjacent. */
function summaryRole(view: View, { from, to }: Range): Role {
  const { messages } = view.conversation;
  const isBetween = messages[from - 1]?.role === "assistant" || messages[to]?.role === "assistant";
  return isBetween ? "user" : "assistant";
}

/** The reference implementation's reasons to skip an attempt. */
function refuseTooEarly(view: View, { from, to }: Range): void {
  const { length } = view.conversation.messages;
  if (length <= TOO_FEW) throw refusal(NATIVE_ERRORS.notEnough);
  const latest = latestSummary(view);
  const isRecent = latest >= KEPT_AT_START && latest + 1 >= to;
  if (isRecent) throw refusal(NATIVE_ERRORS.recently);
  if (from >= to) throw refusal(NATIVE_ERRORS.notEnough);
}

/** Returns the position of the latest summary, or -1. */
function latestSummary(view: View): number {
  return [...view.conversation.messages.keys()].findLast((index) => earlierSummary(view, index) !== undefined) ?? -1;
}

function refusal(message: string): LonghaulError {
  return new LonghaulError("condense.failed", message);
}

function objectionsTo(before: View, after: Conversation): string[] {
  const known = new Set(before.conversation.messages);
  const made = after.messages.filter((message) => !known.has(message));
  const isEmpty = made.some(({ blocks }) => blocks.some((block) => block.type === "text" && block.text.trim() === ""));
  if (isEmpty) return [NATIVE_ERRORS.empty];
  return before.counter.countConversation(after) >= before.tokens ? [NATIVE_ERRORS.grown] : [];
}
