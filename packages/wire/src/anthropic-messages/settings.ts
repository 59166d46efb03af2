import {
  EFFORTS,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Reasoning,
  type ToolChoice,
} from "@longhaul/conversation";
import { given } from "../fields/given.ts";
import { isNumber, isString, isStrings, plainSetting, type Setting, STREAM_SETTING } from "../fields/settings.ts";

/** The objects whose fields the table names one by one. */
export const OPENED = ["thinking", "output_config", "metadata"];

/** What is written where neither the client nor the target says how long a reply may be; the format demands a number. */
const DEFAULT_MAX_TOKENS = 8_192;

const maxTokens: Setting = {
  ...plainSetting("maxOutputTokens", "max_tokens", isNumber),
  encode: ({ maxOutputTokens }, target) => ({
    max_tokens: maxOutputTokens ?? target.maxOutputTokens ?? DEFAULT_MAX_TOKENS,
  }),
};

const toolChoice: Setting = {
  names: ["toolChoice", "parallelToolCalls"],
  fields: ["tool_choice"],
  decode: ({ tool_choice }) => {
    if (!isJsonObject(tool_choice)) return {};
    const choice = decodeToolChoice(tool_choice);
    const single = tool_choice.disable_parallel_tool_use;
    const parallelToolCalls = typeof single === "boolean" ? !single : undefined;
    return choice && given({ toolChoice: choice, parallelToolCalls });
  },
  encode: ({ toolChoice: choice, parallelToolCalls }) => {
    if (choice === undefined && parallelToolCalls === undefined) return {};
    const spelled = encodeToolChoice(choice ?? { kind: "auto" });
    // "none" has no such field: nothing can be called in parallel.
    const single = parallelToolCalls === false && spelled.type !== "none" ? { disable_parallel_tool_use: true } : {};
    return { tool_choice: { ...spelled, ...single } };
  },
};

function decodeToolChoice({ type, name }: JsonObject): ToolChoice | undefined {
  if (type === "auto" || type === "none") return { kind: type };
  if (type === "any") return { kind: "required" };
  return type === "tool" && typeof name === "string" ? { kind: "tool", name } : undefined;
}

function encodeToolChoice(choice: ToolChoice): JsonObject {
  if (choice.kind === "required") return { type: "any" };
  return choice.kind === "tool" ? { type: "tool", name: choice.name } : { type: choice.kind };
}

const reasoning: Setting = {
  names: ["reasoning"],
  fields: ["thinking", "thinking.type", "thinking.budget_tokens", "thinking.display", "output_config.effort"],
  decode: (body) => {
    const effort = body["output_config.effort"] ?? undefined;
    const known = EFFORTS.find((level) => level === effort);
    if ((effort !== undefined && known === undefined) || !isJsonObject(body.thinking ?? {})) return undefined;
    const display = body["thinking.display"];
    const exclude = display === "omitted" ? true : display === "summarized" ? false : undefined;
    const shared = given({ effort: known, exclude });
    return decodeThinking(body["thinking.type"], body["thinking.budget_tokens"], shared);
  },
  encode: ({ reasoning: wish }) => (wish === undefined ? {} : encodeReasoning(wish)),
};

function decodeThinking(
  type: JsonValue | undefined,
  budget: JsonValue | undefined,
  shared: Pick<Reasoning, "effort" | "exclude">,
): { readonly reasoning?: Reasoning } | undefined {
  switch (type) {
    case undefined:
      return shared.effort === undefined ? {} : { reasoning: { mode: "effort", ...shared } };
    case "adaptive":
    case "between_tools":
      return { reasoning: { mode: "adaptive", ...shared } };
    case "disabled":
      return { reasoning: { mode: "off", ...shared } };
    case "enabled":
      return typeof budget === "number"
        ? { reasoning: { mode: "budget", budgetTokens: budget, ...shared } }
        : undefined;
    default:
      return undefined;
  }
}

function encodeReasoning({ mode, effort, budgetTokens, exclude }: Reasoning): JsonObject {
  const level = effort === undefined ? {} : { "output_config.effort": effort };
  if (mode === "off") return { "thinking.type": "disabled", ...level };
  const shown = exclude === undefined ? {} : { "thinking.display": exclude ? "omitted" : "summarized" };
  if (mode === "budget")
    return { "thinking.type": "enabled", "thinking.budget_tokens": budgetTokens ?? 0, ...level, ...shown };
  // Newer models leave the text out unless told otherwise, and a client of another format can't tell them.
  return { "thinking.type": "adaptive", "thinking.display": "summarized", ...level, ...shown };
}

const outputFormat: Setting = {
  names: ["outputFormat"],
  fields: ["output_config.format"],
  decode: (body) => {
    const format = body["output_config.format"] ?? undefined;
    if (format === undefined) return {};
    if (!isJsonObject(format) || format.type !== "json_schema" || !isJsonObject(format.schema)) return undefined;
    return { outputFormat: { kind: "json-schema", schema: format.schema } };
  },
  encode: ({ outputFormat: format }) =>
    format?.kind === "json-schema" ? { "output_config.format": { type: "json_schema", schema: format.schema } } : {},
};

/** What the fields of a request say. */
export const SETTINGS: readonly Setting[] = [
  plainSetting("model", "model", isString),
  STREAM_SETTING,
  maxTokens,
  plainSetting("temperature", "temperature", isNumber),
  plainSetting("topP", "top_p", isNumber),
  plainSetting("topK", "top_k", isNumber),
  plainSetting("stopSequences", "stop_sequences", isStrings),
  toolChoice,
  reasoning,
  outputFormat,
  plainSetting("user", "metadata.user_id", isString),
];
