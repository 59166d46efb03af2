import { z } from "zod";
import { operationSchema } from "../passes/operations.ts";
import { promptSchema } from "../summaries/prompts.ts";

/** The three kinds of content, as named in configurations. */
export const CONTENT_TYPES = ["messageText", "toolParameters", "toolResults"] as const;

const count = () => z.int().min(0);

/** Which contents a pass works on. Counts and ages are in messages; the newest message has age 0. */
const selectionSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("preserve_recent").describe("All but the newest messages."),
    keepRecentCount: count().default(10).describe("Number of newest messages that the pass skips."),
  }),
  z.strictObject({
    type: z.literal("preserve_percent").describe("All but the newest share of the messages."),
    keepPercentage: z
      .number()
      .min(0)
      .max(100)
      .default(30)
      .describe("Newest messages that the pass skips, in percent of all messages."),
  }),
  z.strictObject({
    type: z.literal("custom").describe("Content that meets every given condition."),
    roles: z
      .array(z.enum(["user", "assistant"]))
      .min(1)
      .exactOptional()
      .describe("Roles of the message."),
    contentTypes: z.array(z.enum(CONTENT_TYPES)).min(1).exactOptional().describe("Kinds of content."),
    toolNames: z
      .array(z.string().min(1))
      .min(1)
      .exactOptional()
      .describe("Names of the tools that the content belongs to."),
    errors: z
      .enum(["only", "none"])
      .exactOptional()
      .describe("Results of failed tool calls: `only` selects nothing else, `none` skips them."),
    minChars: count().exactOptional().describe("Minimum length, in characters."),
    maxChars: count().exactOptional().describe("Maximum length, in characters."),
    minAge: count().exactOptional().describe("Minimum number of later messages."),
    maxAge: count().exactOptional().describe("Maximum number of later messages."),
    fromIndex: count().exactOptional().describe("First message of the raw conversation, counted from 0."),
    toIndex: count().exactOptional().describe("Last message of the raw conversation, counted from 0."),
  }),
]);

/** Which contents a pass works on. */
export type Selection = z.infer<typeof selectionSchema>;

const executionSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("always").describe("Runs until the target is reached.") }),
  z.strictObject({
    type: z.literal("conditional").describe("Runs only above a threshold, until the target is reached."),
    condition: z
      .strictObject({
        tokenThreshold: count().exactOptional().describe("Runs only above this many tokens."),
        windowPercent: z
          .number()
          .min(0)
          .max(100)
          .exactOptional()
          .describe("Runs only above this percentage of the window."),
      })
      .refine((condition) => Object.keys(condition).length > 0, "set tokenThreshold, windowPercent, or both")
      .describe("When the pass runs. If both conditions are set, both must be met."),
  }),
]);

/** When a pass runs. */
export type Execution = z.infer<typeof executionSchema>;

const levelOperations = {
  messageText: operationSchema.describe("Operation on message text."),
  toolParameters: operationSchema.describe("Operation on tool arguments."),
  toolResults: operationSchema.describe("Operation on tool results."),
};

const individualSchema = z.strictObject({
  defaults: z.strictObject(levelOperations).describe("The operation for each kind of content."),
  overrides: z
    .array(
      z.strictObject({
        messageIndex: count().describe("Message of the raw conversation, counted from 0."),
        operations: z
          .strictObject({
            messageText: levelOperations.messageText.exactOptional(),
            toolParameters: levelOperations.toolParameters.exactOptional(),
            toolResults: levelOperations.toolResults.exactOptional(),
          })
          .describe("Operations for this message. The defaults apply to the rest."),
      }),
    )
    .default([])
    .describe("Different operations for individual messages of the selection."),
});

/** The operation for each kind of content, and for individual messages. */
export type IndividualConfig = z.infer<typeof individualSchema>;

const summarizationSchema = z.strictObject({
  profile: z
    .string()
    .default("")
    .describe(
      "Profile that writes the summary. If empty, the profile in `context.summarizer` writes it, or else the conversation's own model.",
    ),
  prompt: promptSchema.default("").describe("Instructions for the summarizer. If empty, the built-in prompt is used."),
  maxTokens: z
    .int()
    .min(50)
    .default(4_000)
    .describe("Maximum summary length in tokens. A summary never takes more than a quarter of the target."),
  keepFirst: count()
    .default(1)
    .describe("Selected messages kept at the start, or more if a tool call would be separated from its result."),
  keepLast: count()
    .default(0)
    .describe("Selected messages kept at the end, or more if a tool call would be separated from its result."),
});

/** How a batch is summarized. */
export type Summarization = z.infer<typeof summarizationSchema>;

const batchSchema = z.discriminatedUnion("operation", [
  z.strictObject({ operation: z.literal("keep").describe("Keeps the messages unchanged.") }),
  z.strictObject({
    operation: z.literal("summarize").describe("Replaces the messages with one summary."),
    summarizationConfig: summarizationSchema.prefault({}).describe("How the messages are summarized."),
  }),
]);

const percent = () => z.number().min(0).max(100);

const coverSchema = z.strictObject({
  tailPercent: percent().default(30).describe("Newest messages kept verbatim, in percent of the target."),
  newestPercent: percent()
    .default(100)
    .describe(
      "Maximum size of the newest message, or tool calls with their results, that is kept whole, in percent of the target.",
    ),
  userPercent: percent()
    .default(25)
    .describe(
      "Maximum size of the user's messages kept verbatim, in percent of the target; above it, the longest ones are cut.",
    ),
});

/** How much a `cover` pass keeps verbatim. */
export type CoverConfig = z.infer<typeof coverSchema>;

/** Ids of passes and presets. */
export const ID = /^[a-z0-9]+([-_][a-z0-9]+)*$/;
export const ID_RULE = "use lowercase letters, digits, dashes and underscores";

const passFields = {
  id: z.string().regex(ID, ID_RULE).describe("ID of the pass."),
  name: z.string().trim().min(1).describe("Name of the pass in reports."),
  description: z.string().exactOptional().describe("Purpose of the pass."),
  execution: executionSchema.default({ type: "always" }).describe("When the pass runs."),
};

const selection = selectionSchema.describe("Content that the pass works on.");

/** One pass of a configuration. */
export const passSchema = z.discriminatedUnion("mode", [
  z.strictObject({
    ...passFields,
    selection,
    mode: z.literal("batch").describe("Processes all selected messages as one block."),
    batchConfig: batchSchema.describe("Operation on the block."),
  }),
  z.strictObject({
    ...passFields,
    selection,
    mode: z
      .literal("individual")
      .describe("Processes each selected text on its own, oldest first, until the target is reached."),
    individualConfig: individualSchema.describe("Operations by kind of content."),
  }),
  z.strictObject({
    ...passFields,
    mode: z.literal("cover").describe("Keeps the lines of older messages that are most likely to be needed again."),
    coverConfig: coverSchema.prefault({}).describe("How much is kept verbatim."),
  }),
]);

/** One pass of a configuration. */
export type PassConfig = z.infer<typeof passSchema>;

/** Options of the lossless prelude. */
const preludeSchema = z.strictObject({
  enabled: z.boolean().default(true).describe("Whether the prelude runs."),
  operations: z
    .strictObject({
      deduplicateFileReads: z
        .boolean()
        .default(true)
        .describe("Replaces lines that occur earlier with references to them."),
      consolidateToolResults: z
        .boolean()
        .default(true)
        .describe("Replaces results that the same operation returned before; errors and different results are kept."),
      removeObsoleteState: z
        .boolean()
        .default(false)
        .describe(
          "Also removes content that a later message supersedes: earlier reads, snapshots and command runs. This is not lossless.",
        ),
    })
    .prefault({})
    .describe("Operations of the prelude."),
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

/** All settings of `smart`. */
export const smartSchema = z.strictObject({
  losslessPrelude: preludeSchema
    .prefault({})
    .describe("Replaces repeated lines with references before the passes, and again after them."),
  preserveUserMessages: z
    .boolean()
    .default(true)
    .describe(
      "Keeps user messages verbatim in all passes. A cover pass still shortens them if they exceed its limit for user messages (`userPercent`).",
    ),
  passes: z
    .array(passSchema)
    .refine((passes) => new Set(passes.map(({ id }) => id)).size === passes.length, "two passes have the same ID")
    .default(DEFAULT_PASSES)
    .describe("Passes in the order in which they run. They stop once the target is reached."),
});

/** A configuration of `smart` with defaults. */
export type SmartConfig = z.infer<typeof smartSchema>;
