import {
  choice,
  described,
  fields,
  filledText,
  flag,
  listOf,
  numberBetween,
  oneOf,
  optionalSetting,
  refined,
  setting,
  settingGroup,
  text,
  textMatching,
  wholeNumber,
} from "../contract/setting.ts";
import type { OutputOf } from "../contract/standard-schema.ts";
import { operationSchema } from "../passes/operations.ts";
import { promptSchema } from "../summaries/prompts.ts";

/** The three kinds of content, as named in configurations. */
export const CONTENT_TYPES = ["messageText", "toolParameters", "toolResults"] as const;

const count = wholeNumber(0);
const percent = numberBetween(0, 100);

/** Which contents a pass works on. Counts and ages are in messages; the newest message has age 0. */
const selectionSchema = oneOf("type", {
  preserve_recent: [
    "All but the newest messages.",
    { keepRecentCount: setting(count, 10, "Number of newest messages that the pass skips.") },
  ],
  preserve_percent: [
    "All but the newest share of the messages.",
    { keepPercentage: setting(percent, 30, "Newest messages that the pass skips, in percent of all messages.") },
  ],
  custom: [
    "Content that meets every given condition.",
    {
      roles: optionalSetting(listOf(choice(["user", "assistant"]), 1), "Roles of the message."),
      contentTypes: optionalSetting(listOf(choice(CONTENT_TYPES), 1), "Kinds of content."),
      toolNames: optionalSetting(listOf(filledText, 1), "Names of the tools that the content belongs to."),
      errors: optionalSetting(
        choice(["only", "none"]),
        "Results of failed tool calls: `only` selects nothing else, `none` skips them.",
      ),
      minChars: optionalSetting(count, "Minimum length, in characters."),
      maxChars: optionalSetting(count, "Maximum length, in characters."),
      minAge: optionalSetting(count, "Minimum number of later messages."),
      maxAge: optionalSetting(count, "Maximum number of later messages."),
      fromIndex: optionalSetting(count, "First message of the raw conversation, counted from 0."),
      toIndex: optionalSetting(count, "Last message of the raw conversation, counted from 0."),
    },
  ],
});

/** Which contents a pass works on. */
export type Selection = OutputOf<typeof selectionSchema>;

const conditionSchema = refined(
  fields({
    tokenThreshold: optionalSetting(count, "Runs only above this many tokens."),
    windowPercent: optionalSetting(percent, "Runs only above this percentage of the window."),
  }),
  (condition) => (Object.keys(condition).length > 0 ? undefined : "set tokenThreshold, windowPercent, or both"),
);

const executionSchema = oneOf("type", {
  always: ["Runs until the target is reached.", {}],
  conditional: [
    "Runs only above a threshold, until the target is reached.",
    { condition: described(conditionSchema, "When the pass runs. If both conditions are set, both must be met.") },
  ],
});

/** When a pass runs. */
export type Execution = OutputOf<typeof executionSchema>;

const LEVELS = {
  messageText: "Operation on message text.",
  toolParameters: "Operation on tool arguments.",
  toolResults: "Operation on tool results.",
} as const;

const overrideSchema = fields({
  messageIndex: described(count, "Message of the raw conversation, counted from 0."),
  operations: described(
    fields({
      messageText: optionalSetting(operationSchema, LEVELS.messageText),
      toolParameters: optionalSetting(operationSchema, LEVELS.toolParameters),
      toolResults: optionalSetting(operationSchema, LEVELS.toolResults),
    }),
    "Operations for this message. The defaults apply to the rest.",
  ),
});

const individualSchema = fields({
  defaults: described(
    fields({
      messageText: described(operationSchema, LEVELS.messageText),
      toolParameters: described(operationSchema, LEVELS.toolParameters),
      toolResults: described(operationSchema, LEVELS.toolResults),
    }),
    "The operation for each kind of content.",
  ),
  overrides: setting(listOf(overrideSchema), [], "Different operations for individual messages of the selection."),
});

/** The operation for each kind of content, and for individual messages. */
export type IndividualConfig = OutputOf<typeof individualSchema>;

const summarizationSchema = fields({
  profile: setting(
    text,
    "",
    "Profile that writes the summary. If empty, the profile in `context.summarizer` writes it, or else the conversation's own model.",
  ),
  prompt: setting(promptSchema, "", "Instructions for the summarizer. If empty, the built-in prompt is used."),
  maxTokens: setting(
    wholeNumber(50),
    4_000,
    "Maximum summary length in tokens. A summary never takes more than a quarter of the target.",
  ),
  keepFirst: setting(
    count,
    1,
    "Selected messages kept at the start, or more if a tool call would be separated from its result.",
  ),
  keepLast: setting(
    count,
    0,
    "Selected messages kept at the end, or more if a tool call would be separated from its result.",
  ),
});

/** How a batch is summarized. */
export type Summarization = OutputOf<typeof summarizationSchema>;

const batchSchema = oneOf("operation", {
  keep: ["Keeps the messages unchanged.", {}],
  summarize: [
    "Replaces the messages with one summary.",
    { summarizationConfig: settingGroup(summarizationSchema, "How the messages are summarized.") },
  ],
});

const coverSchema = fields({
  tailPercent: setting(percent, 30, "Newest messages kept verbatim, in percent of the target."),
  newestPercent: setting(
    percent,
    100,
    "Maximum size of the newest message, or tool calls with their results, that is kept whole, in percent of the target.",
  ),
  userPercent: setting(
    percent,
    25,
    "Maximum size of the user's messages kept verbatim, in percent of the target; above it, the longest ones are cut.",
  ),
});

/** How much a `cover` pass keeps verbatim. */
export type CoverConfig = OutputOf<typeof coverSchema>;

/** Ids of passes and presets. */
export const ID = /^[a-z0-9]+([-_][a-z0-9]+)*$/;
export const ID_RULE = "use lowercase letters, digits, dashes and underscores";

const passFields = {
  id: described(textMatching(ID, ID_RULE), "ID of the pass."),
  name: described(filledText, "Name of the pass in reports."),
  description: optionalSetting(text, "Purpose of the pass."),
  execution: setting(executionSchema, { type: "always" }, "When the pass runs."),
};

const selection = described(selectionSchema, "Content that the pass works on.");

/** One pass of a configuration. */
export const passSchema = oneOf("mode", {
  batch: [
    "Processes all selected messages as one block.",
    { ...passFields, selection, batchConfig: described(batchSchema, "Operation on the block.") },
  ],
  individual: [
    "Processes each selected text on its own, oldest first, until the target is reached.",
    { ...passFields, selection, individualConfig: described(individualSchema, "Operations by kind of content.") },
  ],
  cover: [
    "Keeps the lines of older messages that are most likely to be needed again.",
    { ...passFields, coverConfig: settingGroup(coverSchema, "How much is kept verbatim.") },
  ],
});

/** One pass of a configuration. */
export type PassConfig = OutputOf<typeof passSchema>;

const preludeOperations = fields({
  deduplicateFileReads: setting(flag, true, "Replaces lines that occur earlier with references to them."),
  consolidateToolResults: setting(
    flag,
    true,
    "Replaces results that the same operation returned before; errors and different results are kept.",
  ),
  removeObsoleteState: setting(
    flag,
    false,
    "Also removes content that a later message supersedes: earlier reads, snapshots and command runs. This is not lossless.",
  ),
});

const preludeSchema = fields({
  enabled: setting(flag, true, "Whether the prelude runs."),
  operations: settingGroup(preludeOperations, "Operations of the prelude."),
});

/** Options of the lossless prelude. */
export type PreludeConfig = OutputOf<typeof preludeSchema>;

/** Keeps the lines that will likely be needed, without a model. */
export const COVER: PassConfig = {
  id: "cover",
  name: "Cover",
  description: "Keeps the newest messages, the user's messages, and the other lines that will likely be needed.",
  mode: "cover",
  coverConfig: { tailPercent: 30, newestPercent: 100, userPercent: 25 },
  execution: { type: "always" },
};

/** Default passes of `smart`. */
export const DEFAULT_PASSES: PassConfig[] = [COVER];

const passesSchema = refined(listOf(passSchema), (passes) =>
  new Set(passes.map(({ id }) => id)).size === passes.length ? undefined : "two passes have the same ID",
);

/** All settings of `smart`. */
export const smartSchema = fields({
  losslessPrelude: settingGroup(
    preludeSchema,
    "Replaces repeated lines with references before the passes, and again after them.",
  ),
  preserveUserMessages: setting(
    flag,
    true,
    "Keeps user messages verbatim in all passes. A cover pass still shortens them if they exceed its limit for user messages (`userPercent`).",
  ),
  passes: setting(
    passesSchema,
    DEFAULT_PASSES,
    "Passes in the order in which they run. They stop once the target is reached.",
  ),
});

/** A configuration of `smart` with defaults. */
export type SmartConfig = OutputOf<typeof smartSchema>;
