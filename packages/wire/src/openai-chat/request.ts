import {
  isJsonArray,
  isJsonObject,
  type JsonValue,
  type Message,
  type Request,
  type Tool,
} from "@longhaul/conversation";
import type { EncodedRequest } from "../codec/codec.ts";
import { finish, type Steps } from "../codec/stepper.ts";
import type { Target } from "../codec/target.ts";
import { type BodyLayout, decodeFields, encodeFields } from "../fields/body.ts";
import { fieldOf, readBody, readList } from "../fields/read.ts";
import { sameValue } from "../fields/same-value.ts";
import { fitRequest } from "../fit/fit.ts";
import { decodeMessage } from "./decode-message.ts";
import { type ChatAudience, encodeContent, encodeMessages, isKept } from "./encode-message.ts";
import { RULES, WIRE } from "./rules.ts";
import { OPENED, SETTINGS } from "./settings.ts";
import { decodeTools, encodeTool } from "./tools.ts";

const LAYOUT: BodyLayout = { wire: WIRE, settings: SETTINGS, opened: OPENED, conversation: ["tools", "messages"] };

/** Reads a client's request. System messages that open it are the system prompt. */
export function decodeRequest(body: unknown): Request {
  const object = readBody(body, "body");
  const messages = readList(object.messages, "messages").map((message, index) =>
    decodeMessage(message, `messages[${index}]`),
  );
  const opening = openingSystem(messages);
  const conversation = {
    system: opening.flatMap(({ blocks }) => blocks),
    tools: decodeTools(object.tools),
    messages: messages.slice(opening.length),
  };
  return { ...decodeFields(object, LAYOUT), conversation };
}

/** The system messages before anybody else has spoken. */
function openingSystem(messages: readonly Message[]): readonly Message[] {
  const first = messages.findIndex(({ role }) => role !== "system");
  return first === -1 ? messages : messages.slice(0, first);
}

/** Writes a request for an upstream. */
export function encodeRequest(request: Request, target: Target): EncodedRequest {
  return finish(encodeSteps(request, target));
}

/** Does the same in steps. */
export function* encodeSteps(request: Request, target: Target): Steps<EncodedRequest> {
  const { request: fitted, fitting, warnings, restore } = yield* fitRequest(request, RULES, target);
  const { tools, messages } = fitted.conversation;
  const freeTextTools = freeTextNames(tools);
  const audience: ChatAudience = { ...target, vendor: fitting.vendor, extras: fitting.isNative, freeTextTools };
  const body: Record<string, JsonValue> = { ...encodeFields(fitted, LAYOUT, target) };
  if (tools.length > 0) body.tools = tools.map((tool) => encodeTool(tool, audience));
  const { toolChoice } = fitted;
  if (toolChoice?.kind === "tool" && freeTextTools.has(toolChoice.name)) {
    body.tool_choice = { type: "custom", custom: { name: toolChoice.name } };
  }
  if (target.streamUsage === true && fitted.stream) body.stream_options = withUsage(body.stream_options);
  yield;
  body.messages = [...encodeSystem(fitted, audience), ...encodeMessages(messages, audience)];
  return { body, warnings, restore };
}

/** The names of the tools that take free text. */
export function freeTextNames(tools: readonly Tool[]): ReadonlySet<string> {
  return new Set(tools.filter(({ kind }) => kind === "custom").map(({ name }) => name));
}

function withUsage(options: JsonValue | undefined): JsonValue {
  return { ...(isJsonObject(options) ? options : undefined), include_usage: true };
}

/** Writes the system prompt: as the client's own opening messages while they still say it, else as one message. */
function encodeSystem({ conversation, native }: Request, audience: ChatAudience): readonly JsonValue[] {
  const { system } = conversation;
  if (system.length === 0) return [];
  const own = native?.wire === WIRE && isJsonObject(native.value) ? native.value.messages : undefined;
  const entries = own !== undefined && isJsonArray(own) ? own : [];
  const spoken = entries.findIndex((entry) => !isSystemEntry(entry));
  const opening = spoken === -1 ? entries : entries.slice(0, spoken);
  const said = opening.flatMap((entry) => decodeMessage(entry).blocks);
  if (sameValue(said, system) && opening.every((entry) => isKept(entry, audience))) return opening;
  return [{ role: audience.systemRole ?? "system", content: encodeContent(system, audience) }];
}

function isSystemEntry(entry: JsonValue): boolean {
  const role = fieldOf(entry, "role");
  return role === "system" || role === "developer";
}
