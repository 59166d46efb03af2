import {
  EFFORTS,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Reasoning,
  type ToolChoice,
} from "@longhaul/conversation";
import { given } from "../fields/given.ts";
import { fieldOf, optionalString } from "../fields/read.ts";
import {
  isBoolean,
  isNumber,
  isString,
  isStrings,
  plainSetting,
  type Setting,
  STREAM_SETTING,
} from "../fields/settings.ts";
import { decodeFormat, encodeSchema } from "../openai/shape.ts";

/** The objects whose fields the table names one by one. */
export const OPENED = ["reasoning"];

const maxTokens: Setting = {
  names: ["maxOutputTokens"],
  fields: ["max_completion_tokens", "max_tokens"],
  decode: ({ max_completion_tokens, max_tokens }) => {
    const limit = max_completion_tokens ?? max_tokens ?? undefined;
    if (limit === undefined) return {};
    return typeof limit === "number" ? { maxOutputTokens: limit } : undefined;
  },
  encode: ({ maxOutputTokens }, { maxTokensField = "max_completion_tokens" }) =>
    maxOutputTokens === undefined ? {} : { [maxTokensField]: maxOutputTokens },
  // Newer models refuse the old name, and many servers know only that.
  keeps: (body, { maxTokensField }) => {
    const other = maxTokensField === "max_tokens" ? "max_completion_tokens" : "max_tokens";
    return maxTokensField === undefined || body[other] === undefined;
  },
};

const stop: Setting = {
  names: ["stopSequences"],
  fields: ["stop"],
  decode: ({ stop: said }) => {
    if (said === undefined || said === null) return {};
    if (typeof said === "string") return { stopSequences: [said] };
    if (!isStrings(said)) return undefined;
    return said.length === 0 ? {} : { stopSequences: said };
  },
  encode: ({ stopSequences }) => given({ stop: stopSequences }),
};

const toolChoice: Setting = {
  names: ["toolChoice"],
  fields: ["tool_choice"],
  decode: ({ tool_choice }) => {
    if (tool_choice === undefined || tool_choice === null) return {};
    const choice = decodeToolChoice(tool_choice);
    return choice && { toolChoice: choice };
  },
  encode: ({ toolChoice: choice }) => {
    if (choice === undefined) return {};
    return {
      tool_choice: choice.kind === "tool" ? { type: "function", function: { name: choice.name } } : choice.kind,
    };
  },
};

function decodeToolChoice(choice: JsonValue): ToolChoice | undefined {
  if (choice === "auto" || choice === "none" || choice === "required") return { kind: choice };
  if (!isJsonObject(choice) || (choice.type !== "function" && choice.type !== "custom")) return undefined;
  const name = optionalString(fieldOf(choice[choice.type], "name"));
  return name === undefined ? undefined : { kind: "tool", name };
}

const reasoning: Setting = {
  names: ["reasoning"],
  fields: [
    "reasoning_effort",
    "reasoning",
    "reasoning.effort",
    "reasoning.max_tokens",
    "reasoning.enabled",
    "reasoning.exclude",
  ],
  decode: (body) => {
    const effort = body.reasoning_effort ?? body["reasoning.effort"] ?? undefined;
    const level = EFFORTS.find((known) => known === effort);
    const budget = body["reasoning.max_tokens"] ?? undefined;
    if ((effort !== undefined && level === undefined) || !isJsonObject(body.reasoning ?? {})) return undefined;
    if (budget !== undefined && typeof budget !== "number") return undefined;
    const exclude = body["reasoning.exclude"];
    const shared = given({ exclude: typeof exclude === "boolean" ? exclude : undefined });
    if (level === "none" || body["reasoning.enabled"] === false) return { reasoning: { mode: "off", ...shared } };
    if (level !== undefined) return { reasoning: { mode: "effort", effort: level, ...shared } };
    if (budget !== undefined) return { reasoning: { mode: "budget", budgetTokens: budget, ...shared } };
    const isOn = body["reasoning.enabled"] === true || shared.exclude !== undefined;
    return isOn ? { reasoning: { mode: "adaptive", ...shared } } : {};
  },
  encode: ({ reasoning: wish }, { reasoningField = "reasoning_effort" }) => {
    if (wish === undefined) return {};
    return reasoningField === "reasoning" ? encodeReasoning(wish) : encodeEffort(wish);
  },
  keeps: (body, { reasoningField }) => {
    const isObject = Object.keys(body).some((field) => field.startsWith("reasoning."));
    if (reasoningField === undefined) return true;
    return reasoningField === "reasoning" ? body.reasoning_effort === undefined : !isObject;
  },
};

function encodeEffort({ mode, effort }: Reasoning): JsonObject {
  return mode === "off" ? { reasoning_effort: "none" } : given({ reasoning_effort: effort });
}

function encodeReasoning({ mode, effort, budgetTokens, exclude }: Reasoning): JsonObject {
  const shown = exclude === undefined ? {} : { "reasoning.exclude": exclude };
  if (mode === "off") return { "reasoning.effort": "none", ...shown };
  if (mode === "budget") return { "reasoning.max_tokens": budgetTokens ?? 0, ...shown };
  return effort === undefined ? { "reasoning.enabled": true, ...shown } : { "reasoning.effort": effort, ...shown };
}

const outputFormat: Setting = {
  names: ["outputFormat"],
  fields: ["response_format"],
  decode: ({ response_format }) => {
    if (response_format === undefined || response_format === null) return {};
    if (!isJsonObject(response_format)) return undefined;
    if (response_format.type === "text") return {};
    const format = decodeFormat(response_format.type, response_format.json_schema);
    return format && { outputFormat: format };
  },
  encode: ({ outputFormat: format }) => {
    if (format === undefined) return {};
    if (format.kind === "json") return { response_format: { type: "json_object" } };
    return { response_format: { type: "json_schema", json_schema: encodeSchema(format) } };
  },
};

const user: Setting = {
  names: ["user"],
  fields: ["safety_identifier", "user"],
  decode: ({ safety_identifier, user: name }) => {
    const said = safety_identifier ?? name ?? undefined;
    if (said === undefined) return {};
    return typeof said === "string" ? { user: said } : undefined;
  },
  encode: ({ user: name }) => given({ user: name }),
};

/** What the fields of a request say. */
export const SETTINGS: readonly Setting[] = [
  plainSetting("model", "model", isString),
  STREAM_SETTING,
  maxTokens,
  plainSetting("temperature", "temperature", isNumber),
  plainSetting("topP", "top_p", isNumber),
  plainSetting("topK", "top_k", isNumber),
  plainSetting("frequencyPenalty", "frequency_penalty", isNumber),
  plainSetting("presencePenalty", "presence_penalty", isNumber),
  plainSetting("seed", "seed", isNumber),
  stop,
  toolChoice,
  plainSetting("parallelToolCalls", "parallel_tool_calls", isBoolean),
  reasoning,
  outputFormat,
  user,
];
