import { ownValue } from "@longhaul/conversation/advanced";
import type { Prompt, Strategy, StrategyGuide } from "./contract/strategy.ts";
import { STRATEGIES } from "./registry.ts";
import { CONTENT_PROMPT, MERGE_PROMPT, SANDWICH_PROMPT, SUMMARY } from "./summaries/prompts.ts";

/** Returns the guide of a strategy: its own, or the one here. Only programs that show strategies to people load this file. */
export function guideOf({ id, guide, description }: Strategy): StrategyGuide & { readonly description: string } {
  return { description, ...(guide ?? ownValue(GUIDES, id) ?? UNKNOWN) };
}

const UNKNOWN: StrategyGuide = { loses: "unknown", chooseFor: "" };

const GUIDES: Readonly<Record<string, StrategyGuide>> = {
  native: {
    description:
      "Keeps the first message, the last three and the user's shorter messages, and asks a model for one summary of everything else.",
    loses: "medium",
    chooseFor: "users of Roo Code; with userShare: 0 it works as in Roo Code",
    figures: {
      tokensLeftPercent: 3.3,
      milliseconds: 168,
      modelCalls: 1,
      // biome-ignore lint/suspicious/noApproximativeNumericConstant: a price, not the square root of a half
      costUsd: 0.707,
      recallAtQuarter: 0.926,
    },
    recommendation: {
      rank: 40,
      reason: "tool results are only part of the size, and one summary covers the rest",
    },
    firstSettings: ["profile", "maxSummaryTokens", "userShare"],
    prompts: [SUMMARY],
  },
  lossless: {
    description:
      "Replaces repeated lines with references to their first occurrence. Nothing is lost: every reference can be expanded exactly.",
    loses: "none",
    chooseFor: "agents that see the same lines repeatedly; sessions that must not lose anything",
    figures: {
      tokensLeftPercent: 61.4,
      milliseconds: 38,
      modelCalls: 0,
      costUsd: 0,
      recallAtQuarter: 0.949,
    },
    recommendation: {
      rank: 10,
      reason: "replacing repeated lines frees enough tokens; nothing is lost and no summary is needed",
    },
    firstSettings: ["references", "removeObsoleteState"],
  },
  truncation: {
    description:
      "Shortens or suppresses old tool results and arguments, oldest first. Fast, and no model call; message text is kept.",
    loses: "high",
    chooseFor: "the lowest latency",
    figures: {
      tokensLeftPercent: 48.8,
      milliseconds: 24,
      modelCalls: 0,
      costUsd: 0,
      recallAtQuarter: 0.946,
    },
    recommendation: {
      rank: 30,
      reason: "it frees enough tokens and keeps all message text; only tool content is cut",
    },
    firstSettings: ["truncationMode", "preserveRecentCount", "maxToolResultLines"],
  },
  smart: {
    description:
      "Replaces repeated lines with references, then runs configurable passes. Each pass selects content, an operation and a condition.",
    loses: "low (configurable)",
    chooseFor: "almost everything: it keeps the most, and needs no model",
    figures: {
      tokensLeftPercent: 45.6,
      milliseconds: 144,
      modelCalls: 0,
      costUsd: 0,
      recallAtQuarter: 0.994,
    },
    recommendation: {
      rank: 20,
      reason: "it frees enough tokens step by step, starting with the least important content",
    },
    editor: "passes",
    prompts: [SUMMARY, { id: "content", use: "One text, such as a tool result", text: CONTENT_PROMPT }],
  },
  sandwich: {
    description:
      "Keeps the first and the last messages and the user's shorter ones, and replaces the others with one summary.",
    loses: "medium",
    chooseFor: "chats; condenses at 70% of the window",
    figures: {
      tokensLeftPercent: 5.9,
      milliseconds: 152,
      modelCalls: 1,
      costUsd: 0.688,
      recallAtQuarter: 0.959,
    },
    recommendation: {
      rank: 60,
      reason: "one summary between the start and the end frees enough tokens",
    },
    firstSettings: ["preserveTop", "preserveBottom", "profile"],
    prompts: [{ id: "sandwich", use: "The middle of a conversation", text: SANDWICH_PROMPT }],
  },
  "middle-out": {
    description:
      "Keeps the start, the end and every tool call of the conversation; drops text from the middle, and shortens old tool results if that is not enough.",
    loses: "high",
    chooseFor: "sessions that must keep every tool call",
    figures: {
      tokensLeftPercent: 49,
      milliseconds: 36,
      modelCalls: 0,
      costUsd: 0,
      recallAtQuarter: 0.948,
    },
    recommendation: {
      rank: 70,
      reason: "it frees enough tokens without a model call; the start and the end are kept",
    },
    firstSettings: ["startShare"],
  },
  "sliding-window": {
    description:
      "Keeps the recent messages. Drops older text first, then shortens old tool results. Tool calls stay, unless you set a number of messages.",
    loses: "high",
    chooseFor: "sessions where only recent messages matter",
    figures: {
      tokensLeftPercent: 49.1,
      milliseconds: 35,
      modelCalls: 0,
      costUsd: 0,
      recallAtQuarter: 0.934,
    },
    recommendation: {
      rank: 80,
      reason: "only the recent messages fit",
    },
    firstSettings: ["keepLast"],
  },
  "sliding-truncation": {
    description:
      "Keeps the first message and removes the older half of the others. It removes an even number of messages, unless your latest message is among them. No model call.",
    loses: "high",
    chooseFor: "a fallback that behaves like Roo Code's",
    firstSettings: ["removeShare"],
  },
  "full-history": {
    description: "Never condenses. For models whose window is larger than any conversation you expect.",
    loses: "none",
    chooseFor: "windows larger than any conversation",
    figures: {
      tokensLeftPercent: 100,
      milliseconds: 0,
      modelCalls: 0,
      costUsd: 0,
    },
  },
  "tree-summary": {
    description:
      "Summarizes a very long conversation in chunks, then joins the summaries level by level. The user's shorter messages stay.",
    loses: "medium",
    chooseFor: "conversations far larger than the summarizer's window",
    figures: {
      tokensLeftPercent: 34.6,
      milliseconds: 251,
      modelCalls: 19,
      costUsd: 0.928,
      recallAtQuarter: 0.955,
    },
    recommendation: {
      rank: 50,
      reason: "it is too long for one summary, so summaries of its parts are summarized again",
    },
    firstSettings: ["chunkSize", "preserveBottom", "profile"],
    prompts: [SUMMARY, { id: "merge", use: "Joins adjacent summaries into one", text: MERGE_PROMPT }],
  },
};

/** A default prompt. */
export interface DefaultPrompt extends Prompt {
  /** The strategies whose `prompt` setting replaces it. */
  readonly strategies: readonly string[];
}

/** Returns the default prompts of all strategies, without duplicates, those that a setting replaces first. */
export function defaultPrompts(strategies: readonly Strategy[] = STRATEGIES): readonly DefaultPrompt[] {
  const uses = strategies.flatMap((strategy) =>
    (guideOf(strategy).prompts ?? []).map((prompt, at) => ({ prompt, strategy: strategy.id, isReplaceable: at === 0 })),
  );
  const ordered = [...uses.filter(({ isReplaceable }) => isReplaceable), ...uses.filter((use) => !use.isReplaceable)];
  return [...new Map(ordered.map(({ prompt }) => [prompt.id, prompt])).values()].map(({ id, use, text }) => {
    const own = uses.filter(({ prompt }) => prompt.id === id);
    const users = own.map(({ strategy }) => strategy);
    const replaced = own.filter(({ isReplaceable }) => isReplaceable).map(({ strategy }) => strategy);
    return { id, use: `${use}: ${users.join(", ")}.`, text, strategies: replaced };
  });
}
