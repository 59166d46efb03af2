import { z } from "zod";
import type { Content } from "../content/content.ts";
import { defineStrategy } from "../contract/strategy.ts";
import type { View } from "../contract/view.ts";
import type { Edit } from "../edits/edit.ts";
import { planOldestFirst } from "../passes/oldest-first.ts";
import type { Operation } from "../passes/operations.ts";

const MODES = ["keep", "suppress", "truncate"] as const;

const schema = z.strictObject({
  preserveRecentCount: z.int().min(0).default(10).describe("Newest messages that stay as they are, besides the first."),
  truncationMode: z
    .enum(["suppress", "truncate"])
    .default("truncate")
    .describe("What happens to old tool content: suppress puts a marker in its place, truncate keeps its beginning."),
  toolResultMode: z
    .enum(["inherit", ...MODES])
    .default("inherit")
    .describe("The mode for tool results, where it differs."),
  toolParamMode: z
    .enum(["inherit", ...MODES])
    .default("inherit")
    .describe("The mode for tool arguments, where it differs."),
  maxToolResultLines: z.int().min(1).default(10).describe("Lines kept of an old tool result in truncate mode."),
  maxToolParamChars: z
    .int()
    .min(1)
    .default(200)
    .describe("Characters kept of each text in old tool arguments in truncate mode."),
  preserveUserMessages: z.boolean().default(true).describe("Whether what the user wrote always stays as it is."),
  preserveAssistantText: z.boolean().default(true).describe("Whether what the assistant wrote always stays as it is."),
});

type TruncationConfig = z.infer<typeof schema>;

/** Suppresses or truncates old tool content, without a model. */
export const truncation = defineStrategy({
  id: "truncation",
  name: "Truncation",
  description:
    "Shortens or suppresses old tool results and arguments, oldest first. Fast, without a model; what was said stays.",
  version: "1.0.0",
  capabilities: {
    lossless: false,
    batchMode: false,
    individualMode: true,
    multiPass: true,
    summarizes: false,
    speed: "fast",
  },
  guide: {
    loses: "much",
    chooseFor: "the least time",
    figures: {
      tokensLeftPercent: 48.7,
      milliseconds: 14,
      modelCalls: 0,
      costUsd: 0,
      recallAtQuarter: 0.763,
    },
    recommendation: {
      rank: 30,
      reason: "it makes enough room with every word of the conversation kept; only what tools said is cut",
    },
    firstSettings: ["truncationMode", "preserveRecentCount", "maxToolResultLines"],
  },
  schema,
  stopsAtTarget: true,
  passes: (config) => [
    { id: "truncate", name: "Truncate", plan: (view) => planTruncation(view, config) },
    // What the first estimate of the savings left over.
    { id: "truncate-more", name: "Truncate more", plan: (view) => planTruncation(view, config) },
  ],
});

function planTruncation(view: View, config: TruncationConfig): Edit[] {
  const end = view.conversation.messages.length - config.preserveRecentCount;
  const isOld = (message: number) => message > 0 && message < end;
  return planOldestFirst(view, {
    operationFor: (content) => (isOld(content.at.message) ? operationFor(content, config, view) : KEEP),
    dropsMedia: (message) => isOld(message) && resultMode(config) === "suppress",
  });
}

const KEEP: Operation = { operation: "keep" };

function operationFor({ level, role, at }: Content, config: TruncationConfig, view: View): Operation {
  if (role === "system" || (level === "text" && at.message === view.latestUserMessage)) return KEEP;
  if (level === "result") return operationOf(resultMode(config), { maxLines: config.maxToolResultLines });
  if (level === "parameters") return operationOf(paramMode(config), { maxChars: config.maxToolParamChars });
  const isPreserved = role === "user" ? config.preserveUserMessages : config.preserveAssistantText;
  return isPreserved ? KEEP : operationOf(config.truncationMode, { maxLines: config.maxToolResultLines });
}

function resultMode({ toolResultMode, truncationMode }: TruncationConfig): Mode {
  return toolResultMode === "inherit" ? truncationMode : toolResultMode;
}

function paramMode({ toolParamMode, truncationMode }: TruncationConfig): Mode {
  return toolParamMode === "inherit" ? truncationMode : toolParamMode;
}

type Mode = (typeof MODES)[number];

function operationOf(mode: Mode, limits: { maxLines: number } | { maxChars: number }): Operation {
  return mode === "truncate" ? { operation: mode, ...limits } : { operation: mode };
}
