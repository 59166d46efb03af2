import {
  choice,
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
  preserve_recent: { keepRecentCount: setting(count, 10) },
  preserve_percent: { keepPercentage: setting(percent, 30) },
  custom: {
    roles: optionalSetting(listOf(choice(["user", "assistant"]), 1)),
    contentTypes: optionalSetting(listOf(choice(CONTENT_TYPES), 1)),
    toolNames: optionalSetting(listOf(filledText, 1)),
    errors: optionalSetting(choice(["only", "none"])),
    minChars: optionalSetting(count),
    maxChars: optionalSetting(count),
    minAge: optionalSetting(count),
    maxAge: optionalSetting(count),
    fromIndex: optionalSetting(count),
    toIndex: optionalSetting(count),
  },
});

/** Which contents a pass works on. */
export type Selection = OutputOf<typeof selectionSchema>;

const conditionSchema = refined(
  fields({
    tokenThreshold: optionalSetting(count),
    windowPercent: optionalSetting(percent),
  }),
  (condition) => (Object.keys(condition).length > 0 ? undefined : "set tokenThreshold, windowPercent, or both"),
);

const executionSchema = oneOf("type", {
  always: {},
  conditional: { condition: conditionSchema },
});

/** When a pass runs. */
export type Execution = OutputOf<typeof executionSchema>;

const overrideSchema = fields({
  messageIndex: count,
  operations: fields({
    messageText: optionalSetting(operationSchema),
    toolParameters: optionalSetting(operationSchema),
    toolResults: optionalSetting(operationSchema),
  }),
});

const individualSchema = fields({
  defaults: fields({
    messageText: operationSchema,
    toolParameters: operationSchema,
    toolResults: operationSchema,
  }),
  overrides: setting(listOf(overrideSchema), []),
});

/** The operation for each kind of content, and for individual messages. */
export type IndividualConfig = OutputOf<typeof individualSchema>;

const summarizationSchema = fields({
  profile: setting(text, ""),
  prompt: setting(promptSchema, ""),
  maxTokens: setting(wholeNumber(50), 4_000),
  keepFirst: setting(count, 1),
  keepLast: setting(count, 0),
});

/** How a batch is summarized. */
export type Summarization = OutputOf<typeof summarizationSchema>;

const batchSchema = oneOf("operation", {
  keep: {},
  summarize: { summarizationConfig: settingGroup(summarizationSchema) },
});

const coverSchema = fields({
  tailPercent: setting(percent, 30),
  newestPercent: setting(percent, 100),
  userPercent: setting(percent, 25),
});

/** How much a `cover` pass keeps verbatim. */
export type CoverConfig = OutputOf<typeof coverSchema>;

/** Ids of passes and presets. */
export const ID = /^[a-z0-9]+([-_][a-z0-9]+)*$/;
export const ID_RULE = "use lowercase letters, digits, dashes and underscores";

const passFields = {
  id: textMatching(ID, ID_RULE),
  name: filledText,
  description: optionalSetting(text),
  execution: setting(executionSchema, { type: "always" }),
};

/** One pass of a configuration. */
export const passSchema = oneOf("mode", {
  batch: { ...passFields, selection: selectionSchema, batchConfig: batchSchema },
  individual: { ...passFields, selection: selectionSchema, individualConfig: individualSchema },
  cover: { ...passFields, coverConfig: settingGroup(coverSchema) },
});

/** One pass of a configuration. */
export type PassConfig = OutputOf<typeof passSchema>;

const preludeOperations = fields({
  deduplicateFileReads: setting(flag, true),
  consolidateToolResults: setting(flag, true),
  removeObsoleteState: setting(flag, false),
});

const preludeSchema = fields({
  enabled: setting(flag, true),
  operations: settingGroup(preludeOperations),
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
  losslessPrelude: settingGroup(preludeSchema),
  preserveUserMessages: setting(flag, true),
  passes: setting(passesSchema, DEFAULT_PASSES),
});

/** A configuration of `smart` with defaults. */
export type SmartConfig = OutputOf<typeof smartSchema>;
