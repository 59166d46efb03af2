import { type Conversation, LonghaulError, type Role } from "@longhaul/conversation";
import { z } from "zod";
import { nearestCut } from "../content/cuts.ts";
import { defineStrategy } from "../contract/strategy.ts";
import type { View } from "../contract/view.ts";
import type { Ask, Edit } from "../edits/edit.ts";
import { SUMMARY, SUMMARY_PROMPT } from "../summaries/prompts.ts";
import {
  askAbout,
  earlierSummary,
  type Range,
  rangesAround,
  type SummaryOptions,
  summaryOptionsOf,
  summarySettings,
} from "../summaries/ranges.ts";

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

const schema = z.strictObject(summarySettings);

/** The first message, one summary, the last three: Roo Code's behavior before it had strategies. */
export const native = defineStrategy({
  id: "native",
  name: "Native",
  description:
    "Keeps the first message and the last three, and asks a model for one summary of everything between them.",
  version: "1.0.0",
  capabilities: {
    lossless: false,
    batchMode: true,
    individualMode: false,
    multiPass: false,
    summarizes: true,
    speed: "slow",
  },
  guide: {
    loses: "medium",
    chooseFor: "users of Roo Code who want the same behavior",
    figures: {
      tokensLeftPercent: 3,
      milliseconds: 113,
      modelCalls: 1,
      // biome-ignore lint/suspicious/noApproximativeNumericConstant: a price, not the square root of a half
      costUsd: 0.707,
      recallAtQuarter: 0.834,
    },
    recommendation: {
      rank: 40,
      reason: "tool results are only part of the size, and one summary covers the rest",
    },
    firstSettings: ["profile", "maxSummaryTokens"],
    prompts: [SUMMARY],
  },
  schema,
  stopsAtTarget: true,
  passes: (config) => [
    {
      id: "summarize",
      name: "Summarize",
      plan: (view) => planNative(view, summaryOptionsOf(config, SUMMARY_PROMPT)),
      objections: objectionsTo,
    },
  ],
});

function planNative(view: View, options: SummaryOptions): Edit[] {
  const range = { from: endOfStart(view), to: endOfSummarized(view) };
  refuseTooEarly(view, range);
  const edits = rangesAround(view, range).flatMap((part) => planRange(view, part, options));
  if (edits.length === 0) throw refusal(NATIVE_ERRORS.notEnough);
  return edits;
}

function planRange(view: View, range: Range, options: SummaryOptions): Edit[] {
  const ask = askAbout(view, range, options);
  if (ask === undefined) return [];
  const role = summaryRole(view, range);
  // Prevents the summary from being mistaken for the user's own text.
  const heading = role === "user" ? ["## Conversation summary\n"] : [];
  const made = { role, parts: [...heading, withStart(view, ask)] };
  return [{ kind: "replace", ...range, with: [made], reason: "summarize" }];
}

/** Returns the end of the first message, including its tool pair. */
function endOfStart(view: View): number {
  return nearestCut(view.cuts(), KEPT_AT_START, "up");
}

/** The summarizer also reads the kept start, because a summary needs the task. */
function withStart(view: View, ask: Ask): Ask {
  const isFromStart = ask.previous === undefined && ask.range?.from === endOfStart(view);
  if (!isFromStart || ask.range === undefined) return ask;
  const range = { from: 0, to: ask.range.to };
  return { ...ask, messages: view.conversation.messages.slice(0, range.to), range };
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
