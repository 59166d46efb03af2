import type { Content } from "../content/content.ts";
import { choice, fields, flag, setting, wholeNumber } from "../contract/setting.ts";
import type { OutputOf } from "../contract/standard-schema.ts";
import { defineStrategy } from "../contract/strategy.ts";
import type { View } from "../contract/view.ts";
import type { Edit } from "../edits/edit.ts";
import { planOldestFirst } from "../passes/oldest-first.ts";
import type { Operation } from "../passes/operations.ts";

const MODES = ["keep", "suppress", "truncate"] as const;

const schema = fields({
  preserveRecentCount: setting(wholeNumber(0), 10),
  truncationMode: setting(choice(["suppress", "truncate"]), "truncate"),
  toolResultMode: setting(choice(["inherit", ...MODES]), "inherit"),
  toolParamMode: setting(choice(["inherit", ...MODES]), "inherit"),
  maxToolResultLines: setting(wholeNumber(1), 10),
  maxToolParamChars: setting(wholeNumber(1), 200),
  preserveUserMessages: setting(flag, true),
  preserveAssistantText: setting(flag, true),
});

type TruncationConfig = OutputOf<typeof schema>;

/** Suppresses or truncates old tool content, without a model. */
export const truncation = defineStrategy({
  id: "truncation",
  name: "Truncation",
  version: "1.0.0",
  capabilities: {
    lossless: false,
    batchMode: false,
    individualMode: true,
    multiPass: true,
    summarizes: false,
    speed: "fast",
  },
  schema,
  stopsAtTarget: true,
  passes: (config) => [
    { id: "truncate", name: "Truncate", plan: (view) => planTruncation(view, config) },
    // Handles what the first estimate of the savings missed.
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
  const isTask = at.message === view.latestUserMessage || at.message === view.firstUserMessage;
  if (role === "system" || (level === "text" && isTask)) return KEEP;
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
