import { z } from "zod";
import { operationSchema } from "../passes/operations.ts";
import { promptSchema } from "../summaries/prompts.ts";

/** The three kinds of content, as configurations name them. */
export const CONTENT_TYPES = ["messageText", "toolParameters", "toolResults"] as const;

const count = () => z.int().min(0);

/** Which contents a pass works on. Counts and ages are in messages; the newest message has age 0. */
const selectionSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("preserve_recent").describe("Everything but the newest messages."),
    keepRecentCount: count().default(10).describe("Newest messages that the pass leaves alone."),
  }),
  z.strictObject({
    type: z.literal("preserve_percent").describe("Everything but the newest share of the messages."),
    keepPercentage: z.number().min(0).max(100).default(30).describe("Newest messages left alone, in percent of all."),
  }),
  z.strictObject({
    type: z.literal("custom").describe("What meets every condition that is set."),
    roles: z
      .array(z.enum(["user", "assistant"]))
      .min(1)
      .exactOptional()
      .describe("Who the message is from."),
    contentTypes: z.array(z.enum(CONTENT_TYPES)).min(1).exactOptional().describe("What kind of content it is."),
    toolNames: z.array(z.string().min(1)).min(1).exactOptional().describe("Tools that it belongs to, by name."),
    errors: z.enum(["only", "none"]).exactOptional().describe("Only what failed tools answered, or none of it."),
    minChars: count().exactOptional().describe("Shortest content, in characters."),
    maxChars: count().exactOptional().describe("Longest content, in characters."),
    minAge: count().exactOptional().describe("How many messages must stand after it, at least."),
    maxAge: count().exactOptional().describe("How many messages may stand after it, at most."),
    fromIndex: count().exactOptional().describe("First message of the raw conversation, counted from 0."),
    toIndex: count().exactOptional().describe("Last message of the raw conversation, counted from 0."),
  }),
]);

/** Which contents a pass works on. */
export type Selection = z.infer<typeof selectionSchema>;

const executionSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("always").describe("Runs while the target is not reached.") }),
  z.strictObject({
    type: z.literal("conditional").describe("Runs only over a threshold, too."),
    condition: z
      .strictObject({
        tokenThreshold: count().exactOptional().describe("Runs only over this many tokens."),
        windowPercent: z.number().min(0).max(100).exactOptional().describe("Runs only over this share of the window."),
      })
      .refine((condition) => Object.keys(condition).length > 0, "name tokenThreshold, windowPercent, or both")
      .describe("When it runs; with both, both must hold."),
  }),
]);

/** When a pass runs. */
export type Execution = z.infer<typeof executionSchema>;

const levelOperations = {
  messageText: operationSchema.describe("What happens to what was said."),
  toolParameters: operationSchema.describe("What happens to what tools were called with."),
  toolResults: operationSchema.describe("What happens to what tools answered."),
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
          .describe("Operations for this message; what is absent is as in the defaults."),
      }),
    )
    .default([])
    .describe("Other operations for single messages of the selection."),
});

/** The operation for each kind of content, and for single messages. */
export type IndividualConfig = z.infer<typeof individualSchema>;

const summarizationSchema = z.strictObject({
  profile: z.string().default("").describe("Profile that writes the summary. Blank: the conversation's own."),
  prompt: promptSchema.default("").describe("Instructions to the summariser. Blank: the default."),
  maxTokens: z
    .int()
    .min(50)
    .default(4_000)
    .describe("Longest summary, in tokens. It also never takes more than a quarter of the target."),
  keepFirst: count().default(1).describe("Selected messages kept at the start. More where a tool pair would be split."),
  keepLast: count().default(0).describe("Selected messages kept at the end. More where a tool pair would be split."),
});

/** How a batch is summarised. */
export type Summarization = z.infer<typeof summarizationSchema>;

const batchSchema = z.discriminatedUnion("operation", [
  z.strictObject({ operation: z.literal("keep").describe("Leaves the messages as they are.") }),
  z.strictObject({
    operation: z.literal("summarize").describe("Puts one summary in the place of the messages."),
    summarizationConfig: summarizationSchema.prefault({}).describe("How they are summarised."),
  }),
]);

const percent = () => z.number().min(0).max(100);

const coverSchema = z.strictObject({
  tailPercent: percent().default(30).describe("Newest messages kept as they are, in percent of the target."),
  newestPercent: percent()
    .default(40)
    .describe("The very newest message, or tool calls with their results, may take this much where it is larger."),
  userPercent: percent()
    .default(25)
    .describe(
      "What the user wrote stays as it is up to this share of the target; over it, the longest messages are cut.",
    ),
});

/** How much a `cover` pass keeps as it is. */
export type CoverConfig = z.infer<typeof coverSchema>;

const passFields = {
  id: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "use small letters, digits and dashes")
    .describe("Names the pass."),
  name: z.string().trim().min(1).describe("What reports call it."),
  description: z.string().exactOptional().describe("What it is for."),
  execution: executionSchema.default({ type: "always" }).describe("When it runs."),
};

const selection = selectionSchema.describe("Which contents it works on.");

/** One pass of a configuration. */
export const passSchema = z.discriminatedUnion("mode", [
  z.strictObject({
    ...passFields,
    selection,
    mode: z.literal("batch").describe("All selected messages as one block."),
    batchConfig: batchSchema.describe("What happens to the block."),
  }),
  z.strictObject({
    ...passFields,
    selection,
    mode: z
      .literal("individual")
      .describe("Each selected content by itself, oldest first, until the target is reached."),
    individualConfig: individualSchema.describe("What happens to each content."),
  }),
  z.strictObject({
    ...passFields,
    mode: z
      .literal("cover")
      .describe("Of all older messages, the lines that together say the most of what will likely be needed."),
    coverConfig: coverSchema.prefault({}).describe("How much stays as it is."),
  }),
]);

/** One pass of a configuration. */
export type PassConfig = z.infer<typeof passSchema>;

/** What the lossless prelude does, each under its own switch. */
const preludeSchema = z.strictObject({
  enabled: z.boolean().default(true).describe("Whether the prelude runs."),
  operations: z
    .strictObject({
      deduplicateFileReads: z
        .boolean()
        .default(true)
        .describe("Replaces lines that stand further up already by references to them."),
      consolidateToolResults: z
        .boolean()
        .default(true)
        .describe("Replaces results that the same operation gave before; errors and results that differ are kept."),
      removeObsoleteState: z
        .boolean()
        .default(false)
        .describe(
          "Also removes what a later message tells anew: earlier reads, snapshots, runs. This is not lossless.",
        ),
    })
    .prefault({})
    .describe("What the prelude does."),
});

/** The switches of the lossless prelude. */
export type PreludeConfig = z.infer<typeof preludeSchema>;

/** Keeps what will likely be needed, line by line, without a model. */
export const COVER: PassConfig = {
  id: "cover",
  name: "Cover",
  description: "Keeps the newest messages, what the user wrote, and of the rest the lines that will likely be needed.",
  mode: "cover",
  coverConfig: { tailPercent: 30, newestPercent: 40, userPercent: 25 },
  execution: { type: "always" },
};

/** What `smart` does where nobody says otherwise. */
export const DEFAULT_PASSES: PassConfig[] = [COVER];

/** Everything that can be set about `smart`. */
export const smartSchema = z.strictObject({
  losslessPrelude: preludeSchema
    .prefault({})
    .describe("References instead of repeats: tried first, and made anew on what the passes leave."),
  preserveUserMessages: z
    .boolean()
    .default(true)
    .describe(
      "Whether what the user wrote stays as it is, whatever the passes say. Only a cover pass cuts it, beyond its userPercent.",
    ),
  passes: z
    .array(passSchema)
    .refine((passes) => new Set(passes.map(({ id }) => id)).size === passes.length, "two passes have the same id")
    .default(DEFAULT_PASSES)
    .describe("The passes, in order. Those after the one that reaches the target are left out."),
});

/** A configuration of `smart`, its defaults filled in. */
export type SmartConfig = z.infer<typeof smartSchema>;
