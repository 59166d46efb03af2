import {
  EFFORTS,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Reasoning,
  type Request,
  type ToolChoice,
} from "@longhaul/conversation/advanced";
import { adaptRequest } from "../adapt/adapt.ts";
import type { EncodedRequest } from "../codec/codec.ts";
import type { WireDestination } from "../codec/rules.ts";
import { finish, mapSteps, type Steps } from "../codec/stepper.ts";
import { defined, fieldOf, listIn, optionalString, readBodySteps, sameValue } from "../fields/json.ts";
import {
  type BodyLayout,
  decodeFields,
  encodeFields,
  fieldSetting,
  isBoolean,
  isNumber,
  isString,
  isStrings,
  plainSetting,
  type Setting,
  STREAM_SETTING,
} from "../fields/settings.ts";
import { decodeFormat, encodeSchema, keepsRole, userSetting } from "../openai/shape.ts";
import { decodeMessage } from "./decode-message.ts";
import { type ChatEncodeOptions, encodeContent, encodeMessages } from "./encode-message.ts";
import { conversationSteps, freeTextNames } from "./messages.ts";
import { RULES, WIRE } from "./rules.ts";
import { encodeTool } from "./tools.ts";

export function decodeRequest(body: unknown): Request {
  return finish(decodeSteps(body));
}

/** Decodes a client's request. */
export function* decodeSteps(body: unknown): Steps<Request> {
  const object = yield* readBodySteps(body, "body");
  return { ...decodeFields(object, LAYOUT), conversation: yield* conversationSteps(object) };
}

export function encodeRequest(request: Request, destination: WireDestination): EncodedRequest {
  return finish(encodeSteps(request, destination));
}

export function* encodeSteps(request: Request, destination: WireDestination): Steps<EncodedRequest> {
  const { request: adapted, context, warnings, restore } = yield* adaptRequest(request, RULES, destination);
  const { tools, messages } = adapted.conversation;
  const freeTextTools = freeTextNames(tools);
  const options: ChatEncodeOptions = {
    ...destination,
    vendor: context.vendor,
    extras: context.isNative,
    freeTextTools,
  };
  const body: Record<string, JsonValue> = { ...encodeFields(adapted, LAYOUT, destination) };
  if (tools.length > 0) body.tools = yield* mapSteps(tools, (tool) => encodeTool(tool, options));
  const { toolChoice } = adapted;
  if (toolChoice?.kind === "tool" && freeTextTools.has(toolChoice.name)) {
    body.tool_choice = { type: "custom", custom: { name: toolChoice.name } };
  }
  if (destination.streamUsage === true && adapted.stream) {
    body.stream_options = { ...(isJsonObject(body.stream_options) && body.stream_options), include_usage: true };
  }
  const encoded = yield* encodeMessages(messages, options);
  body.messages = [...encodeSystem(adapted, options), ...encoded];
  return { body, warnings, restore };
}

/** Encodes the system prompt: as the client's own messages if it is unchanged, otherwise as one message. */
function encodeSystem({ conversation, native }: Request, options: ChatEncodeOptions): readonly JsonValue[] {
  const { system } = conversation;
  if (system.length === 0) return [];
  const entries = native?.wire === WIRE ? listIn(fieldOf(native.value, "messages")) : [];
  const first = entries.findIndex((entry) => !isSystemEntry(entry));
  const opening = first === -1 ? entries : entries.slice(0, first);
  const value = opening.flatMap((entry) => decodeMessage(entry).blocks);
  if (sameValue(value, system) && opening.every((entry) => keepsRole(entry, options))) return opening;
  return [{ role: options.systemRole ?? "system", content: encodeContent(system, options) }];
}

function isSystemEntry(entry: JsonValue): boolean {
  const role = fieldOf(entry, "role");
  return role === "system" || role === "developer";
}

/** Objects whose fields the settings table names as `outer.inner`. */
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
  // Newer models reject the old name, and many servers accept only that one.
  keeps: (body, { maxTokensField }) => {
    const other = maxTokensField === "max_tokens" ? "max_completion_tokens" : "max_tokens";
    return maxTokensField === undefined || body[other] === undefined;
  },
};

const stop = fieldSetting("stopSequences", "stop", {
  decode: (value) => {
    if (typeof value === "string") return [value];
    if (!isStrings(value)) return undefined;
    return value.length === 0 ? null : value;
  },
  encode: (sequences) => sequences,
});

const toolChoice = fieldSetting("toolChoice", "tool_choice", {
  decode: decodeToolChoice,
  encode: (choice) => (choice.kind === "tool" ? { type: "function", function: { name: choice.name } } : choice.kind),
});

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
    const shared = defined({ exclude: typeof exclude === "boolean" ? exclude : undefined });
    if (level === "none" || body["reasoning.enabled"] === false) return { reasoning: { mode: "off", ...shared } };
    if (level !== undefined) return { reasoning: { mode: "effort", effort: level, ...shared } };
    if (budget !== undefined) return { reasoning: { mode: "budget", budgetTokens: budget, ...shared } };
    const isOn = body["reasoning.enabled"] === true || shared.exclude !== undefined;
    return isOn ? { reasoning: { mode: "adaptive", ...shared } } : {};
  },
  encode: ({ reasoning: requested }, { reasoningField = "reasoning_effort" }) => {
    if (requested === undefined) return {};
    if (reasoningField === "reasoning") return encodeReasoning(requested);
    return defined({ reasoning_effort: requested.mode === "off" ? "none" : requested.effort });
  },
  keeps: (body, { reasoningField }) => {
    const isObject = Object.keys(body).some((field) => field.startsWith("reasoning."));
    if (reasoningField === undefined) return true;
    return reasoningField === "reasoning" ? body.reasoning_effort === undefined : !isObject;
  },
};

function encodeReasoning({ mode, effort, budgetTokens, exclude }: Reasoning): JsonObject {
  const visibility = exclude === undefined ? {} : { "reasoning.exclude": exclude };
  if (mode === "off") return { "reasoning.effort": "none", ...visibility };
  if (mode === "budget") return { "reasoning.max_tokens": budgetTokens ?? 0, ...visibility };
  return { ...(effort === undefined ? { "reasoning.enabled": true } : { "reasoning.effort": effort }), ...visibility };
}

const outputFormat = fieldSetting("outputFormat", "response_format", {
  decode: (format) => {
    if (!isJsonObject(format)) return undefined;
    return format.type === "text" ? null : decodeFormat(format.type, format.json_schema);
  },
  encode: (format) =>
    format.kind === "json" ? { type: "json_object" } : { type: "json_schema", json_schema: encodeSchema(format) },
});

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
  userSetting("user"),
];

const LAYOUT: BodyLayout = { wire: WIRE, settings: SETTINGS, opened: OPENED, conversation: ["tools", "messages"] };
