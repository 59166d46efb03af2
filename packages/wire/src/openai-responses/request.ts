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
import { defined, readBodySteps, sameValue } from "../fields/json.ts";
import {
  type BodyLayout,
  decodeFields,
  encodeFields,
  fieldSetting,
  isBoolean,
  isNumber,
  isString,
  plainSetting,
  type Setting,
  STREAM_SETTING,
} from "../fields/settings.ts";
import { decodeFormat, encodeSchema, keepsRole, userSetting } from "../openai/shape.ts";
import { decodeMessage } from "./decode-message.ts";
import { encodeContent, encodeMessage, type ResponsesEncodeOptions } from "./encode-message.ts";
import { conversationSteps, freeTextIn, openingOf, systemOf } from "./messages.ts";
import { RULES, WIRE } from "./rules.ts";
import { encodeTools } from "./tools.ts";

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
  const options: ResponsesEncodeOptions = {
    ...destination,
    vendor: context.vendor,
    extras: context.isNative,
    ...freeTextIn(adapted.conversation),
  };
  const body: Record<string, JsonValue> = {
    ...encodeFields(adapted, LAYOUT, destination),
    ...(context.isNative ? {} : statelessFields(adapted, destination)),
  };
  const { toolChoice } = adapted;
  if (toolChoice?.kind === "tool" && options.freeTextTools.has(toolChoice.name)) {
    body.tool_choice = { type: "custom", name: toolChoice.name };
  }
  const prompt = encodeSystem(adapted, options);
  const written = encodeTools(tools, prompt.opening, options);
  if (written.length > 0) body.tools = written;
  yield;
  const encoded = yield* mapSteps(messages, (message) => encodeMessage(message, options));
  const items = [...prompt.opening, ...encoded.flat()];
  const only = messages.length === 1 && prompt.opening.length === 0 ? messages[0]?.native : undefined;
  Object.assign(body, prompt.fields);
  body.input = only?.wire === WIRE && typeof only.value === "string" ? only.value : items;
  return { body, warnings, restore };
}

/** A client of another format sends its whole history, so the server stores nothing and returns encrypted reasoning instead. */
function statelessFields({ reasoning }: Request, destination: WireDestination): JsonObject {
  const modes = reasoning === undefined ? (destination.reasoning?.modes ?? []) : [reasoning.mode];
  const thinks = modes.some((mode) => mode !== "off");
  return thinks ? { store: false, include: ["reasoning.encrypted_content"] } : { store: false };
}

/**
 * Encodes the system prompt: as the client's own fields if it is unchanged, otherwise as instructions or one message. `opening` has the
 * messages at the start of the input.
 */
function encodeSystem({ conversation, native }: Request, options: ResponsesEncodeOptions) {
  const { system } = conversation;
  const own = native?.wire === WIRE && isJsonObject(native.value) ? native.value : {};
  const opening = openingOf(own.input);
  const value = opening.map((item) => decodeMessage(item));
  if (sameValue(systemOf(own.instructions, value), system) && opening.every((item) => keepsRole(item, options))) {
    return { fields: own.instructions === undefined ? {} : { instructions: own.instructions }, opening };
  }
  const [only] = system;
  if (only === undefined) return { fields: {}, opening: [] };
  if (system.length === 1 && only.type === "text" && only.cache === undefined) {
    return { fields: { instructions: only.text }, opening: [] };
  }
  const content = encodeContent(system, "input_text", options);
  return { fields: {}, opening: [{ type: "message", role: options.systemRole ?? "developer", content }] };
}

/** Objects whose fields the settings table names as `outer.inner`. */
export const OPENED = ["reasoning", "text"];

const toolChoice = fieldSetting("toolChoice", "tool_choice", {
  decode: decodeToolChoice,
  encode: (choice) => (choice.kind === "tool" ? { type: "function", name: choice.name } : choice.kind),
});

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
  encode: ({ reasoning: requested }, _, native) => (requested === undefined ? {} : encodeReasoning(requested, native)),
};

function encodeReasoning({ mode, effort, exclude }: Reasoning, native: JsonObject | undefined): JsonObject {
  if (mode === "off") return { "reasoning.effort": "none" };
  return defined({
    "reasoning.effort": effort,
    "reasoning.summary": exclude === true ? undefined : summaryFor(native, exclude),
  });
}

/** Returns the summary setting. OpenAI returns reasoning only as a summary and only on request; clients of other formats cannot ask. */
function summaryFor(native: JsonObject | undefined, exclude: boolean | undefined): string | undefined {
  const own = native?.["reasoning.summary"];
  if (typeof own === "string") return own;
  return native === undefined || exclude === false ? "auto" : undefined;
}

const outputFormat: Setting = {
  ...fieldSetting("outputFormat", "text.format", {
    decode: (format) => {
      if (!isJsonObject(format)) return undefined;
      return format.type === "text" ? null : decodeFormat(format.type, format);
    },
    encode: (format) =>
      format.kind === "json" ? { type: "json_object" } : { type: "json_schema", ...encodeSchema(format) },
  }),
  fields: ["text", "text.format"],
};

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
  userSetting("safety_identifier"),
];

const LAYOUT: BodyLayout = {
  wire: WIRE,
  settings: SETTINGS,
  opened: OPENED,
  conversation: ["instructions", "tools", "input"],
};
