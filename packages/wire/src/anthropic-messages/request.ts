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
import type { EncodeOptions, WireDestination } from "../codec/rules.ts";
import { finish, mapSteps, type Steps } from "../codec/stepper.ts";
import { defined, readBodySteps } from "../fields/json.ts";
import {
  type BodyLayout,
  decodeFields,
  encodeFields,
  isNumber,
  isString,
  isStrings,
  plainSetting,
  type Setting,
  STREAM_SETTING,
} from "../fields/settings.ts";
import { encodeContent, encodeMessage } from "./encode-message.ts";
import { conversationSteps } from "./messages.ts";
import { RULES, WIRE } from "./rules.ts";
import { encodeTool } from "./tools.ts";

export function decodeRequest(body: unknown): Request {
  return finish(decodeSteps(body));
}

export function* decodeSteps(body: unknown): Steps<Request> {
  const object = yield* readBodySteps(body, "body");
  return { ...decodeFields(object, LAYOUT), conversation: yield* conversationSteps(object) };
}

export function encodeRequest(request: Request, destination: WireDestination): EncodedRequest {
  return finish(encodeSteps(request, destination));
}

export function* encodeSteps(request: Request, destination: WireDestination): Steps<EncodedRequest> {
  const { request: adapted, context, warnings, restore } = yield* adaptRequest(request, RULES, destination);
  const options: EncodeOptions = { vendor: context.vendor, extras: context.isNative };
  const { system, tools, messages } = adapted.conversation;
  const body: Record<string, JsonValue> = { ...encodeFields(adapted, LAYOUT, destination) };
  // Without a type, the client's other thinking fields would be rejected.
  if (isJsonObject(body.thinking) && body.thinking.type === undefined) delete body.thinking;
  if (system.length > 0) body.system = encodeContent(system, options);
  if (tools.length > 0) body.tools = yield* mapSteps(tools, (tool) => encodeTool(tool, options));
  body.messages = yield* mapSteps(messages, (message) => encodeMessage(message, options));
  return { body, warnings, restore };
}

/** Objects whose fields the settings table names as `outer.inner`. */
export const OPENED = ["thinking", "output_config", "metadata"];

/** Used if neither the client nor the destination limits the reply, because the format requires a number. */
const DEFAULT_MAX_TOKENS = 8_192;

const maxTokens: Setting = {
  ...plainSetting("maxOutputTokens", "max_tokens", isNumber),
  encode: ({ maxOutputTokens }, destination) => ({
    max_tokens: maxOutputTokens ?? destination.maxOutputTokens ?? DEFAULT_MAX_TOKENS,
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
    return choice && defined({ toolChoice: choice, parallelToolCalls });
  },
  encode: ({ toolChoice: choice, parallelToolCalls }) => {
    if (choice === undefined && parallelToolCalls === undefined) return {};
    const encoded = encodeToolChoice(choice ?? { kind: "auto" });
    // "none" has no such field.
    const single = parallelToolCalls === false && encoded.type !== "none" ? { disable_parallel_tool_use: true } : {};
    return { tool_choice: { ...encoded, ...single } };
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
    const shared = defined({ effort: known, exclude });
    return decodeThinking(body["thinking.type"], body["thinking.budget_tokens"], shared);
  },
  encode: ({ reasoning: requested }) => (requested === undefined ? {} : encodeReasoning(requested)),
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
      if (typeof budget !== "number") return undefined;
      return { reasoning: { mode: "budget", budgetTokens: budget, ...shared } };
    default:
      return undefined;
  }
}

function encodeReasoning({ mode, effort, budgetTokens, exclude }: Reasoning): JsonObject {
  const level = effort === undefined ? {} : { "output_config.effort": effort };
  if (mode === "off") return { "thinking.type": "disabled", ...level };
  const visibility = exclude === undefined ? {} : { "thinking.display": exclude ? "omitted" : "summarized" };
  if (mode === "budget")
    return { "thinking.type": "enabled", "thinking.budget_tokens": budgetTokens ?? 0, ...level, ...visibility };
  // Newer models omit the text by default, and clients of other formats cannot request it.
  return { "thinking.type": "adaptive", "thinking.display": "summarized", ...level, ...visibility };
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

const LAYOUT: BodyLayout = {
  wire: WIRE,
  settings: SETTINGS,
  opened: OPENED,
  conversation: ["system", "tools", "messages"],
};
