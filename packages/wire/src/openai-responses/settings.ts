import {
  EFFORTS,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Reasoning,
  type ToolChoice,
} from "@longhaul/conversation";
import { given } from "../fields/given.ts";
import { isBoolean, isNumber, isString, plainSetting, type Setting, STREAM_SETTING } from "../fields/settings.ts";
import { decodeFormat, encodeSchema } from "../openai/shape.ts";

/** The objects whose fields the table names one by one. */
export const OPENED = ["reasoning", "text"];

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
    return { tool_choice: choice.kind === "tool" ? { type: "function", name: choice.name } : choice.kind };
  },
};

function decodeToolChoice(choice: JsonValue): ToolChoice | undefined {
  if (choice === "auto" || choice === "none" || choice === "required") return { kind: choice };
  if (!isJsonObject(choice) || (choice.type !== "function" && choice.type !== "custom")) return undefined;
  return typeof choice.name === "string" ? { kind: "tool", name: choice.name } : undefined;
}

const reasoning: Setting = {
  names: ["reasoning"],
  fields: ["reasoning", "reasoning.effort", "reasoning.summary"],
  decode: (body) => {
    const effort = body["reasoning.effort"] ?? undefined;
    const level = EFFORTS.find((known) => known === effort);
    if ((effort !== undefined && level === undefined) || !isJsonObject(body.reasoning ?? {})) return undefined;
    const shared = typeof body["reasoning.summary"] === "string" ? { exclude: false } : {};
    if (level === "none") return { reasoning: { mode: "off", ...shared } };
    if (level !== undefined) return { reasoning: { mode: "effort", effort: level, ...shared } };
    return shared.exclude === undefined ? {} : { reasoning: { mode: "adaptive", ...shared } };
  },
  encode: ({ reasoning: wish }, _, native) => (wish === undefined ? {} : encodeReasoning(wish, native)),
};

function encodeReasoning({ mode, effort, exclude }: Reasoning, native: JsonObject | undefined): JsonObject {
  if (mode === "off") return { "reasoning.effort": "none" };
  return given({
    "reasoning.effort": effort,
    "reasoning.summary": exclude === true ? undefined : summaryFor(native, exclude),
  });
}

/** The text of the reasoning is never given, a summary only to those who ask; clients of other formats have no words for that. */
function summaryFor(native: JsonObject | undefined, exclude: boolean | undefined): string | undefined {
  const own = native?.["reasoning.summary"];
  if (typeof own === "string") return own;
  return native === undefined || exclude === false ? "auto" : undefined;
}

const outputFormat: Setting = {
  names: ["outputFormat"],
  fields: ["text", "text.format"],
  decode: (body) => {
    const format = body["text.format"] ?? undefined;
    if (format === undefined) return {};
    if (!isJsonObject(format)) return undefined;
    if (format.type === "text") return {};
    const known = decodeFormat(format.type, format);
    return known && { outputFormat: known };
  },
  encode: ({ outputFormat: format }) => {
    if (format === undefined) return {};
    if (format.kind === "json") return { "text.format": { type: "json_object" } };
    return { "text.format": { type: "json_schema", ...encodeSchema(format) } };
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
  encode: ({ user: name }) => given({ safety_identifier: name }),
};

/** What the fields of a request say. */
export const SETTINGS: readonly Setting[] = [
  plainSetting("model", "model", isString),
  STREAM_SETTING,
  plainSetting("maxOutputTokens", "max_output_tokens", isNumber),
  plainSetting("temperature", "temperature", isNumber),
  plainSetting("topP", "top_p", isNumber),
  toolChoice,
  plainSetting("parallelToolCalls", "parallel_tool_calls", isBoolean),
  reasoning,
  outputFormat,
  user,
];
