import { isJsonObject, LonghaulError, parseJsonText } from "@longhaul/conversation/advanced";
import { choice, fields, filledText, text, textMatching } from "../contract/setting.ts";
import { describeIssues, type OutputOf } from "../contract/standard-schema.ts";
import { COVER, ID, ID_RULE, type PassConfig, type SmartConfig, smartSchema } from "./config.ts";
import { readSmartConfig } from "./other-shapes.ts";

const KEEP = { operation: "keep" } as const;
const ALWAYS = { type: "always" } as const;

const LOSSLESS: SmartConfig["losslessPrelude"] = {
  enabled: true,
  operations: { deduplicateFileReads: true, consolidateToolResults: true, removeObsoleteState: false },
};

const TRUNCATE_RESULTS: PassConfig = {
  id: "truncate-results",
  name: "Truncate older results",
  description: "Keeps the first lines of tool results.",
  selection: { type: "preserve_recent", keepRecentCount: 10 },
  mode: "individual",
  individualConfig: {
    defaults: { messageText: KEEP, toolParameters: KEEP, toolResults: { operation: "truncate", maxLines: 20 } },
    overrides: [],
  },
  execution: ALWAYS,
};

const TRUNCATE_ARGUMENTS: PassConfig = {
  id: "truncate-arguments",
  name: "Suppress long arguments",
  description: "Replaces tool arguments of more than 300 characters with a mark.",
  selection: { type: "preserve_recent", keepRecentCount: 10 },
  mode: "individual",
  individualConfig: {
    defaults: { messageText: KEEP, toolParameters: { operation: "truncate", maxChars: 300 }, toolResults: KEEP },
    overrides: [],
  },
  execution: ALWAYS,
};

const SUPPRESS_RESULTS: PassConfig = {
  id: "suppress-results",
  name: "Suppress older results",
  description: "Replaces tool results, except for errors, with a mark.",
  selection: { type: "custom", contentTypes: ["toolResults"], errors: "none", minAge: 10 },
  mode: "individual",
  individualConfig: {
    defaults: { messageText: KEEP, toolParameters: KEEP, toolResults: { operation: "suppress" } },
    overrides: [],
  },
  execution: ALWAYS,
};

const SUPPRESS_ARGUMENTS: PassConfig = {
  id: "suppress-arguments",
  name: "Suppress older arguments",
  description: "Replaces tool arguments with a mark.",
  selection: { type: "preserve_recent", keepRecentCount: 10 },
  mode: "individual",
  individualConfig: {
    defaults: { messageText: KEEP, toolParameters: { operation: "suppress" }, toolResults: KEEP },
    overrides: [],
  },
  execution: ALWAYS,
};

const TRUNCATE_ANSWERS: PassConfig = {
  id: "truncate-answers",
  name: "Truncate older answers",
  description: "Keeps the start of the assistant's text.",
  selection: { type: "custom", roles: ["assistant"], contentTypes: ["messageText"], minAge: 10 },
  mode: "individual",
  individualConfig: {
    defaults: { messageText: { operation: "truncate", maxChars: 600 }, toolParameters: KEEP, toolResults: KEEP },
    overrides: [],
  },
  execution: ALWAYS,
};

const SUMMARIZE_RESULTS: PassConfig = {
  id: "summarize-results",
  name: "Summarize long results",
  description: "Asks a model to shorten each long tool result, all in one batch.",
  selection: { type: "custom", contentTypes: ["toolResults"], minChars: 6_000, minAge: 10 },
  mode: "individual",
  individualConfig: {
    defaults: { messageText: KEEP, toolParameters: KEEP, toolResults: { operation: "summarize", maxTokens: 400 } },
    overrides: [],
  },
  execution: ALWAYS,
};

const SUMMARIZE_OLD: PassConfig = {
  id: "summarize",
  name: "Summarize the older part",
  description: "Replaces everything but the user's messages and the newest ones with one summary.",
  selection: { type: "preserve_recent", keepRecentCount: 10 },
  mode: "batch",
  batchConfig: {
    operation: "summarize",
    summarizationConfig: { profile: "", prompt: "", maxTokens: 4_000, keepFirst: 1, keepLast: 0 },
  },
  execution: ALWAYS,
};

/** Predefined configurations of `smart`. */
export const PRESETS: readonly Preset[] = [
  {
    version: 1,
    id: "speed",
    name: "Speed",
    description: "Truncates and suppresses old tool content, without a model call.",
    config: {
      losslessPrelude: { ...LOSSLESS, enabled: false },
      preserveUserMessages: true,
      passes: [TRUNCATE_RESULTS, TRUNCATE_ARGUMENTS, SUPPRESS_RESULTS, SUPPRESS_ARGUMENTS, TRUNCATE_ANSWERS],
    },
  },
  {
    version: 1,
    id: "quality",
    name: "Quality",
    description:
      "Replaces repeated lines with references, summarizes long results, then summarizes the older part. The most expensive preset.",
    config: {
      losslessPrelude: LOSSLESS,
      preserveUserMessages: true,
      passes: [SUMMARIZE_RESULTS, { ...SUMMARIZE_OLD, selection: { type: "preserve_percent", keepPercentage: 30 } }],
    },
  },
  {
    version: 1,
    id: "cost",
    name: "Cost",
    description:
      "Replaces repeated lines with references and keeps the lines that are likely to be needed. Summarizes only above 60% of the window; use a cheap profile for that.",
    config: {
      losslessPrelude: { enabled: true, operations: { ...LOSSLESS.operations, removeObsoleteState: true } },
      preserveUserMessages: true,
      passes: [COVER, { ...SUMMARIZE_OLD, execution: { type: "conditional", condition: { windowPercent: 60 } } }],
    },
  },
  {
    version: 1,
    id: "balanced",
    name: "Balanced",
    description: "Replaces repeated lines with references, shortens results and arguments, then summarizes the rest.",
    config: {
      losslessPrelude: LOSSLESS,
      preserveUserMessages: true,
      passes: [
        { ...TRUNCATE_RESULTS, selection: { type: "preserve_percent", keepPercentage: 30 } },
        { ...TRUNCATE_ARGUMENTS, selection: { type: "preserve_percent", keepPercentage: 30 } },
        SUMMARIZE_OLD,
      ],
    },
  },
];

/** Increased when presets of earlier versions cannot be read. */
const PRESET_VERSION = 1;

const presetSchema = fields({
  version: choice([PRESET_VERSION]),
  id: textMatching(ID, ID_RULE),
  name: filledText,
  description: text,
  config: smartSchema,
});

/** A named configuration of `smart`. */
export type Preset = OutputOf<typeof presetSchema>;

/** Serializes a preset as JSON. Throws `settings.invalid`, naming every invalid field. */
export function exportPreset(preset: Preset): string {
  return `${JSON.stringify(checkPreset(preset), undefined, 2)}\n`;
}

/** Parses a preset from JSON. Throws `settings.invalid`, naming the problem and the field. */
export function importPreset(text: string): Preset {
  return checkPreset(parseJson(text));
}

function checkPreset(value: unknown): Preset {
  const preset = isJsonObject(value) ? { ...value, config: readSmartConfig(value.config) } : value;
  const checked = presetSchema.check(preset);
  if (checked.issues === undefined) return checked.value;
  const faults = describeIssues(checked.issues, "the preset");
  throw new LonghaulError("settings.invalid", `invalid preset: ${faults}`);
}

function parseJson(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new LonghaulError("settings.invalid", `the preset is not valid JSON: ${why}`, { cause });
  }
}
