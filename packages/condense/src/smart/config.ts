import * as z from "zod/mini";
import { numberBetween, optionalSetting, setting, settingGroup, variant, wholeNumber } from "../contract/setting.ts";
import { operationSchema } from "../passes/operations.ts";
import { promptSchema } from "../summaries/prompts.ts";

/** The three kinds of content, as named in configurations. */
export const CONTENT_TYPES = ["messageText", "toolParameters", "toolResults"] as const;

const count = wholeNumber(0);
const percent = numberBetween(0, 100);

/** Which contents a pass works on. Counts and ages are in messages; the newest message has age 0. */
const selectionSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: variant("preserve_recent", "All but the newest messages."),
    keepRecentCount: setting(count, 10, "Number of newest messages that the pass skips."),
  }),
  z.strictObject({
    type: variant("preserve_percent", "All but the newest share of the messages."),
    keepPercentage: setting(percent, 30, "Newest messages that the pass skips, in percent of all messages."),
  }),
  z.strictObject({
    type: variant("custom", "Content that meets every given condition."),
    roles: optionalSetting(listOf(z.enum(["user", "assistant"])), "Roles of the message."),
    contentTypes: optionalSetting(listOf(z.enum(CONTENT_TYPES)), "Kinds of content."),
    toolNames: optionalSetting(
      listOf(z.string().check(z.minLength(1))),
      "Names of the tools that the content belongs to.",
    ),
    errors: optionalSetting(
      z.enum(["only", "none"]),
      "Results of failed tool calls: `only` selects nothing else, `none` skips them.",
    ),
    minChars: optionalSetting(count, "Minimum length, in characters."),
    maxChars: optionalSetting(count, "Maximum length, in characters."),
    minAge: optionalSetting(count, "Minimum number of later messages."),
    maxAge: optionalSetting(count, "Maximum number of later messages."),
    fromIndex: optionalSetting(count, "First message of the raw conversation, counted from 0."),
    toIndex: optionalSetting(count, "Last message of the raw conversation, counted from 0."),
  }),
]);

function listOf<Item extends z.core.$ZodType>(item: Item): z.ZodMiniArray<Item> {
  return z.array(item).check(z.minLength(1));
}

/** Which contents a pass works on. */
export type Selection = z.infer<typeof selectionSchema>;

const executionSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: variant("always", "Runs until the target is reached.") }),
  z.strictObject({
    type: variant("conditional", "Runs only above a threshold, until the target is reached."),
    condition: z
      .strictObject({
        tokenThreshold: optionalSetting(count, "Runs only above this many tokens."),
        windowPercent: optionalSetting(percent, "Runs only above this percentage of the window."),
      })
      .check(
        z.refine((condition) => Object.keys(condition).length > 0, "set tokenThreshold, windowPercent, or both"),
        z.describe("When the pass runs. If both conditions are set, both must be met."),
      ),
  }),
]);

/** When a pass runs. */
export type Execution = z.infer<typeof executionSchema>;

const levelOperations = {
  messageText: operationSchema.check(z.describe("Operation on message text.")),
  toolParameters: operationSchema.check(z.describe("Operation on tool arguments.")),
  toolResults: operationSchema.check(z.describe("Operation on tool results.")),
};

const overrideSchema = z.strictObject({
  messageIndex: count.check(z.describe("Message of the raw conversation, counted from 0.")),
  operations: z
    .strictObject({
      messageText: z.exactOptional(levelOperations.messageText),
      toolParameters: z.exactOptional(levelOperations.toolParameters),
      toolResults: z.exactOptional(levelOperations.toolResults),
    })
    .check(z.describe("Operations for this message. The defaults apply to the rest.")),
});

const individualSchema = z.strictObject({
  defaults: z.strictObject(levelOperations).check(z.describe("The operation for each kind of content.")),
  overrides: setting(z.array(overrideSchema), [], "Different operations for individual messages of the selection."),
});

/** The operation for each kind of content, and for individual messages. */
export type IndividualConfig = z.infer<typeof individualSchema>;

const summarizationSchema = z.strictObject({
  profile: setting(
    z.string(),
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
export type Summarization = z.infer<typeof summarizationSchema>;

const batchSchema = z.discriminatedUnion("operation", [
  z.strictObject({ operation: variant("keep", "Keeps the messages unchanged.") }),
  z.strictObject({
    operation: variant("summarize", "Replaces the messages with one summary."),
    summarizationConfig: settingGroup(summarizationSchema, {}, "How the messages are summarized."),
  }),
]);

const coverSchema = z.strictObject({
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
export type CoverConfig = z.infer<typeof coverSchema>;

/** Ids of passes and presets. */
export const ID = /^[a-z0-9]+([-_][a-z0-9]+)*$/;
export const ID_RULE = "use lowercase letters, digits, dashes and underscores";

const passFields = {
  id: z.string().check(z.regex(ID, ID_RULE), z.describe("ID of the pass.")),
  name: z.string().check(z.trim(), z.minLength(1), z.describe("Name of the pass in reports.")),
  description: optionalSetting(z.string(), "Purpose of the pass."),
  execution: setting(executionSchema, { type: "always" }, "When the pass runs."),
};

const selection = selectionSchema.check(z.describe("Content that the pass works on."));

/** One pass of a configuration. */
export const passSchema = z.discriminatedUnion("mode", [
  z.strictObject({
    ...passFields,
    selection,
    mode: variant("batch", "Processes all selected messages as one block."),
    batchConfig: batchSchema.check(z.describe("Operation on the block.")),
  }),
  z.strictObject({
    ...passFields,
    selection,
    mode: variant("individual", "Processes each selected text on its own, oldest first, until the target is reached."),
    individualConfig: individualSchema.check(z.describe("Operations by kind of content.")),
  }),
  z.strictObject({
    ...passFields,
    mode: variant("cover", "Keeps the lines of older messages that are most likely to be needed again."),
    coverConfig: settingGroup(coverSchema, {}, "How much is kept verbatim."),
  }),
]);

/** One pass of a configuration. */
export type PassConfig = z.infer<typeof passSchema>;

const preludeOperations = z.strictObject({
  deduplicateFileReads: setting(z.boolean(), true, "Replaces lines that occur earlier with references to them."),
  consolidateToolResults: setting(
    z.boolean(),
    true,
    "Replaces results that the same operation returned before; errors and different results are kept.",
  ),
  removeObsoleteState: setting(
    z.boolean(),
    false,
    "Also removes content that a later message supersedes: earlier reads, snapshots and command runs. This is not lossless.",
  ),
});

const preludeSchema = z.strictObject({
  enabled: setting(z.boolean(), true, "Whether the prelude runs."),
  operations: settingGroup(preludeOperations, {}, "Operations of the prelude."),
});

/** Options of the lossless prelude. */
export type PreludeConfig = z.infer<typeof preludeSchema>;

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

const passesSchema = z
  .array(passSchema)
  .check(
    z.refine((passes) => new Set(passes.map(({ id }) => id)).size === passes.length, "two passes have the same ID"),
  );

/** All settings of `smart`. */
export const smartSchema = z.strictObject({
  losslessPrelude: settingGroup(
    preludeSchema,
    {},
    "Replaces repeated lines with references before the passes, and again after them.",
  ),
  preserveUserMessages: setting(
    z.boolean(),
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
export type SmartConfig = z.infer<typeof smartSchema>;
