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
import type { EncodedRequest, RequestLine } from "../codec/codec.ts";
import type { EncodeOptions, WireDestination } from "../codec/rules.ts";
import { finish, mapSteps, type Steps } from "../codec/stepper.ts";
import { defined, nonEmptyString, readBodySteps } from "../fields/json.ts";
import {
  type BodyLayout,
  decodeFields,
  encodeFields,
  fieldSetting,
  isNumber,
  isStrings,
  plainSetting,
  type Setting,
} from "../fields/settings.ts";
import { encodeMessage, encodeParts } from "./encode-message.ts";
import { camelField, camelFields } from "./field-names.ts";
import { conversationSteps } from "./messages.ts";
import { RULES, WIRE } from "./rules.ts";
import { encodeTools, jsonSchemaOf } from "./tools.ts";

export function decodeRequest(body: unknown, line?: RequestLine): Request {
  return finish(decodeSteps(body, line));
}

/** Decodes a client's request. The URL contains the model and selects streaming. */
export function* decodeSteps(body: unknown, line: RequestLine = {}): Steps<Request> {
  const object = normalizeBody(yield* readBodySteps(body, "body"));
  const fields = { ...decodeFields(object, LAYOUT), ...defined({ model: line.model, stream: line.stream }) };
  return { ...fields, conversation: yield* conversationSteps(object) };
}

/** Returns the body with camel-case field names, except inside the client's own data. */
function normalizeBody(body: JsonObject): JsonObject {
  const renamed = OPENED.reduce(camelField, camelFields(body));
  return normalizeInner(
    normalizeInner(renamed, "generationConfig", "thinkingConfig"),
    "toolConfig",
    "functionCallingConfig",
  );
}

function normalizeInner(body: JsonObject, outer: string, inner: string): JsonObject {
  const value = body[outer];
  return isJsonObject(value) ? { ...body, [outer]: camelField(value, inner) } : body;
}

export function encodeRequest(request: Request, destination: WireDestination): EncodedRequest {
  return finish(encodeSteps(request, destination));
}

export function* encodeSteps(request: Request, destination: WireDestination): Steps<EncodedRequest> {
  const { request: adapted, context, warnings, restore } = yield* adaptRequest(request, RULES, destination);
  const options: EncodeOptions = { vendor: context.vendor, extras: context.isNative };
  const { system, tools, messages } = adapted.conversation;
  const own = context.isNative && isJsonObject(request.native?.value) ? request.native.value : {};
  const body: Record<string, JsonValue> = { ...encodeFields(adapted, LAYOUT, destination) };
  if (system.length > 0) {
    // The client's other fields of the system prompt are kept.
    const fields = isJsonObject(own.systemInstruction) ? own.systemInstruction : {};
    body.systemInstruction = { ...fields, parts: encodeParts(system, options) };
  }
  if (tools.length > 0) body.tools = encodeTools(tools, own.tools, options);
  yield;
  body.contents = yield* mapSteps(messages, (message) => encodeMessage(message, options));
  return { body, warnings, restore };
}

/** Objects whose fields the settings table names as `outer.inner`. */
export const OPENED = ["generationConfig", "toolConfig"];

const MODEL_PREFIX = "models/";

/** The path names the model. A model in the body is kept only while it names the same one. */
const model: Setting = {
  names: ["model"],
  fields: ["model"],
  decode: ({ model: name }) => {
    if (typeof name !== "string") return name === undefined || name === null ? {} : undefined;
    return { model: name.startsWith(MODEL_PREFIX) ? name.slice(MODEL_PREFIX.length) : name };
  },
  encode: () => ({}),
};

const toolChoice = fieldSetting("toolChoice", "toolConfig.functionCallingConfig", {
  decode: (config) => (!isJsonObject(config) || config.mode === undefined ? null : decodeToolChoice(config)),
  encode: encodeToolChoice,
});

/** The canonical model has no choice among several tools and no mode that only validates arguments. */
function decodeToolChoice({ mode, allowedFunctionNames }: JsonObject): ToolChoice | undefined {
  if (mode === "AUTO" || mode === "MODE_UNSPECIFIED") return { kind: "auto" };
  if (mode === "NONE") return { kind: "none" };
  if (mode !== "ANY") return undefined;
  const names = allowedFunctionNames !== undefined && isStrings(allowedFunctionNames) ? allowedFunctionNames : [];
  const [name] = names;
  if (name === undefined) return { kind: "required" };
  return names.length === 1 ? { kind: "tool", name } : undefined;
}

function encodeToolChoice(choice: ToolChoice): JsonObject {
  if (choice.kind === "required") return { mode: "ANY" };
  if (choice.kind === "tool") return { mode: "ANY", allowedFunctionNames: [choice.name] };
  return { mode: choice.kind === "auto" ? "AUTO" : "NONE" };
}

/** Special values of a budget. */
const OFF = 0;
const DYNAMIC = -1;

const reasoning = fieldSetting("reasoning", "generationConfig.thinkingConfig", {
  decode: (config) => {
    if (!isJsonObject(config)) return undefined;
    const level = nonEmptyString(config.thinkingLevel)?.toLowerCase();
    const effort = EFFORTS.find((known) => known === level);
    if (level !== undefined && effort === undefined && level !== UNSPECIFIED) return undefined;
    // Thoughts are included only on request.
    const exclude = config.includeThoughts !== true;
    if (effort !== undefined) return { mode: "effort", effort, exclude };
    return decodeBudget(config.thinkingBudget ?? undefined, exclude);
  },
  encode: encodeReasoning,
});

const UNSPECIFIED = "thinking_level_unspecified";

function decodeBudget(budget: JsonValue | undefined, exclude: boolean): Reasoning | null | undefined {
  if (budget === OFF) return { mode: "off" };
  if (typeof budget === "number" && budget > 0) return { mode: "budget", budgetTokens: budget, exclude };
  if (budget !== undefined && budget !== DYNAMIC) return undefined;
  return budget === DYNAMIC || !exclude ? { mode: "adaptive", exclude } : null;
}

function encodeReasoning({ mode, effort, budgetTokens, exclude }: Reasoning): JsonObject {
  if (mode === "off" || effort === "none") return { thinkingBudget: OFF };
  const visibility = { includeThoughts: exclude !== true };
  if (mode === "budget") return { thinkingBudget: budgetTokens ?? DYNAMIC, ...visibility };
  if (effort !== undefined) return { thinkingLevel: effort.toUpperCase(), ...visibility };
  return mode === "adaptive" ? { thinkingBudget: DYNAMIC, ...visibility } : visibility;
}

const JSON_TYPE = "application/json";

const outputFormat: Setting = {
  names: ["outputFormat"],
  fields: [
    "generationConfig.responseMimeType",
    "generationConfig.responseJsonSchema",
    "generationConfig.responseSchema",
  ],
  decode: (body) => {
    const type = body["generationConfig.responseMimeType"] || "text/plain";
    if (type === "text/plain") return {};
    if (type !== JSON_TYPE) return undefined;
    const standard = body["generationConfig.responseJsonSchema"];
    if (isJsonObject(standard)) return { outputFormat: { kind: "json-schema", schema: standard } };
    const own = body["generationConfig.responseSchema"];
    return { outputFormat: isJsonObject(own) ? { kind: "json-schema", schema: jsonSchemaOf(own) } : { kind: "json" } };
  },
  encode: ({ outputFormat: format }) => {
    if (format === undefined) return {};
    const schema = format.kind === "json-schema" ? format.schema : undefined;
    return {
      "generationConfig.responseMimeType": JSON_TYPE,
      ...defined({ "generationConfig.responseJsonSchema": schema }),
    };
  },
};

/** Every format returns one candidate. The canonical model cannot express more. */
const candidates: Setting = {
  names: [],
  fields: ["generationConfig.candidateCount"],
  decode: (body) => ((body["generationConfig.candidateCount"] ?? 1) === 1 ? {} : undefined),
  encode: () => ({}),
};

export const SETTINGS: readonly Setting[] = [
  model,
  plainSetting("maxOutputTokens", "generationConfig.maxOutputTokens", isNumber),
  plainSetting("temperature", "generationConfig.temperature", isNumber),
  plainSetting("topP", "generationConfig.topP", isNumber),
  plainSetting("topK", "generationConfig.topK", isNumber),
  plainSetting("frequencyPenalty", "generationConfig.frequencyPenalty", isNumber),
  plainSetting("presencePenalty", "generationConfig.presencePenalty", isNumber),
  plainSetting("seed", "generationConfig.seed", isNumber),
  plainSetting("stopSequences", "generationConfig.stopSequences", isStrings),
  toolChoice,
  reasoning,
  outputFormat,
  candidates,
];

const LAYOUT: BodyLayout = {
  wire: WIRE,
  settings: SETTINGS,
  opened: OPENED,
  conversation: ["systemInstruction", "tools", "contents"],
};
