import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "@longhaul/conversation/advanced";
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
      recallAtQuarter: 0.929,
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
      recallAtQuarter: 0.938,
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
      recallAtQuarter: 0.94,
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
      recallAtQuarter: 0.965,
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
      recallAtQuarter: 0.935,
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
      recallAtQuarter: 0.936,
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
      recallAtQuarter: 0.972,
    },
    recommendation: {
      rank: 50,
      reason: "it is too long for one summary, so summaries of its parts are summarized again",
    },
    firstSettings: ["chunkSize", "preserveBottom", "profile"],
    prompts: [SUMMARY, { id: "merge", use: "Joins adjacent summaries into one", text: MERGE_PROMPT }],
  },
};

/** Adds the descriptions of a built-in strategy's settings to their JSON Schema. */
export function describeSettings(id: string, schema: JsonObject): JsonObject {
  return ownValue(GUIDES, id) === undefined ? schema : withDescriptions(schema, [id]);
}

/** `path` has the names of fields, and those of variants: the constant values of their tags. */
function withDescriptions(schema: JsonObject, path: readonly string[]): JsonObject {
  const { properties, items, oneOf } = schema;
  const fields = Object.entries(objectIn(properties)).map(([name, field]) => [name, objectIn(field)] as const);
  const [variant] = fields.flatMap(([, field]) => (typeof field.const === "string" ? [field.const] : []));
  const here = variant === undefined ? path : [...path, variant];
  const described = fields.map(([name, field]) => {
    const at = field.const === undefined ? [...here, name] : here;
    return [name, { ...withDescriptions(field, at), description: descriptionOf(at) }];
  });
  return {
    ...schema,
    ...(properties !== undefined && { properties: Object.fromEntries(described) }),
    ...(isJsonObject(items) && { items: withDescriptions(items, path) }),
    ...(Array.isArray(oneOf) && { oneOf: oneOf.map((option) => withDescriptions(objectIn(option), path)) }),
  };
}

function objectIn(value: JsonValue | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {};
}

function descriptionOf(path: readonly string[]): string {
  const ends = path.map((_, at) => path.slice(at).join("."));
  return ends.flatMap((end) => ownValue(SETTINGS, end) ?? [])[0] ?? "";
}

/** Descriptions of the built-in strategies' settings and variants, by the end of their path. The longest one counts. */
const SETTINGS: Readonly<Record<string, string>> = {
  prompt: "Instructions for the summarizer. If empty, the strategy's own prompt is used.",
  maxSummaryTokens: "Maximum summary length in tokens. A summary never takes more than a quarter of the target.",
  profile:
    "Profile that writes the summaries. If empty, the profile in `context.summarizer` writes them, or else the conversation's own model.",
  userShare:
    "Share of the budget, 0 to 1, for keeping the user's messages between the kept start and the kept end verbatim, shortest first. The summary follows them. With 0, they are summarized like all others.",
  references:
    "Where repeated lines become references: nowhere, in tool results, or also in the assistant's text and in older tool arguments.",
  deduplicateFileReads: "Replaces whole repeated reads of a file, even if references are off.",
  consolidateToolResults:
    "Replaces results that the same operation returned before; errors and different results are kept.",
  removeObsoleteState:
    "Also removes content that a later message supersedes: earlier reads, snapshots and command runs. This is not lossless.",
  preserveRecentCount: "Newest messages kept verbatim, in addition to the first.",
  truncationMode:
    "Operation on old tool content. `suppress` replaces it with a mark. `truncate` keeps the start of results and replaces only long arguments.",
  toolResultMode: "Mode for tool results, if different.",
  toolParamMode: "Mode for tool arguments, if different.",
  maxToolResultLines: "Lines kept of an old tool result in truncate mode.",
  maxToolParamChars:
    "Maximum length of an old tool argument in truncate mode, in characters. Longer ones are replaced with a mark.",
  preserveUserMessages: "Whether the user's messages are always kept verbatim.",
  preserveAssistantText: "Whether the assistant's text is always kept verbatim.",
  losslessPrelude: "Replaces repeated lines with references before the passes, and again after them.",
  enabled: "Whether the prelude runs.",
  operations: "Operations of the prelude.",
  passes: "Passes in the order in which they run. They stop once the target is reached.",
  batch: "Processes all selected messages as one block.",
  id: "ID of the pass.",
  name: "Name of the pass in reports.",
  description: "Purpose of the pass.",
  execution: "When the pass runs.",
  always: "Runs until the target is reached.",
  conditional: "Runs only above a threshold, until the target is reached.",
  condition: "When the pass runs. If both conditions are set, both must be met.",
  tokenThreshold: "Runs only above this many tokens.",
  windowPercent: "Runs only above this percentage of the window.",
  selection: "Content that the pass works on.",
  preserve_recent: "All but the newest messages.",
  keepRecentCount: "Number of newest messages that the pass skips.",
  preserve_percent: "All but the newest share of the messages.",
  keepPercentage: "Newest messages that the pass skips, in percent of all messages.",
  custom: "Content that meets every given condition.",
  roles: "Roles of the message.",
  contentTypes: "Kinds of content.",
  toolNames: "Names of the tools that the content belongs to.",
  errors: "Results of failed tool calls: `only` selects nothing else, `none` skips them.",
  minChars: "Minimum length, in characters.",
  maxChars: "Characters to keep. Default if neither limit is set: 500.",
  minAge: "Minimum number of later messages.",
  maxAge: "Maximum number of later messages.",
  fromIndex: "First message of the raw conversation, counted from 0.",
  toIndex: "Last message of the raw conversation, counted from 0.",
  batchConfig: "Operation on the block.",
  keep: "Keeps the content unchanged.",
  summarize: "Replaces the content with a summary that a model writes.",
  summarizationConfig: "How the messages are summarized.",
  maxTokens: "Maximum length of one summary, in tokens.",
  keepFirst: "Selected messages kept at the start, or more if a tool call would be separated from its result.",
  keepLast: "Selected messages kept at the end, or more if a tool call would be separated from its result.",
  individual: "Processes each selected text on its own, oldest first, until the target is reached.",
  individualConfig: "Operations by kind of content.",
  defaults: "The operation for each kind of content.",
  messageText: "Operation on message text.",
  suppress: "Replaces the content with a mark.",
  truncate: "Keeps the start of the content. A tool argument over the limit is replaced with a mark.",
  maxLines: "Lines to keep; a line counts as at most 200 characters.",
  toolParameters: "Operation on tool arguments.",
  toolResults: "Operation on tool results.",
  overrides: "Different operations for individual messages of the selection.",
  messageIndex: "Message of the raw conversation, counted from 0.",
  cover: "Keeps the lines of older messages that are most likely to be needed again.",
  coverConfig: "How much is kept verbatim.",
  tailPercent: "Newest messages kept verbatim, in percent of the target.",
  newestPercent:
    "Maximum size of the newest message, or tool calls with their results, that is kept whole, in percent of the target.",
  userPercent:
    "Maximum size of the user's messages kept verbatim, in percent of the target; above it, the longest ones are cut.",
  preserveTop: "Messages kept at the start, or more if a tool call would be separated from its result.",
  preserveBottom: "Messages kept at the end, or more if a tool call would be separated from its result.",
  startShare: "Share of the target kept at the start of the conversation, 0 to 0.9.",
  removeShare: "Share of the messages after the first that is removed, 0.1 to 0.9.",
  chunkSize: "Number of messages per summary, and of summaries that are merged into one.",
  levels: "Maximum number of summary levels. A level is added only until the target is reached.",
  "operations.deduplicateFileReads": "Replaces lines that occur earlier with references to them.",
  "smart.preserveUserMessages":
    "Keeps user messages verbatim in all passes. A cover pass still shortens them if they exceed its limit for user messages (`userPercent`).",
  "custom.maxChars": "Maximum length, in characters.",
  "batchConfig.keep": "Keeps the messages unchanged.",
  "batchConfig.summarize": "Replaces the messages with one summary.",
  "summarizationConfig.profile":
    "Profile that writes the summary. If empty, the profile in `context.summarizer` writes it, or else the conversation's own model.",
  "summarizationConfig.prompt": "Instructions for the summarizer. If empty, the built-in prompt is used.",
  "summarizationConfig.maxTokens":
    "Maximum summary length in tokens. A summary never takes more than a quarter of the target.",
  "overrides.operations": "Operations for this message. The defaults apply to the rest.",
  "sliding-window.keepLast":
    "Maximum number of messages to keep, in addition to the latest user message. 0: as many as fit the target.",
  "summarize.prompt": "Instructions for the summarizer. Default: the built-in prompt.",
  "summarize.profile":
    "Profile that writes the summaries. Default: the profile in `context.summarizer`, or else the conversation's own model.",
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
