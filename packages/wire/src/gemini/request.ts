import { type Block, isJsonObject, type JsonObject, type JsonValue, type Request } from "@longhaul/conversation";
import type { EncodedRequest, RequestLine } from "../codec/codec.ts";
import { finish, type Steps } from "../codec/stepper.ts";
import type { Audience, Target } from "../codec/target.ts";
import { type BodyLayout, decodeFields, encodeFields } from "../fields/body.ts";
import { given } from "../fields/given.ts";
import { readBody, readList, readObject } from "../fields/read.ts";
import { fitRequest } from "../fit/fit.ts";
import { decodeMessage, decodeParts } from "./decode-message.ts";
import { encodeMessage, encodeParts } from "./encode-message.ts";
import { RULES, WIRE } from "./rules.ts";
import { OPENED, SETTINGS } from "./settings.ts";
import { camelField, camelFields } from "./spelling.ts";
import { decodeTools, encodeTools } from "./tools.ts";

const LAYOUT: BodyLayout = {
  wire: WIRE,
  settings: SETTINGS,
  opened: OPENED,
  conversation: ["systemInstruction", "tools", "contents"],
};

/** Reads a client's request. The model and whether to stream stand in its address. */
export function decodeRequest(body: unknown, line: RequestLine = {}): Request {
  const object = spellBody(readBody(body, "body"));
  const messages = readList(object.contents, "contents").map((content, index) =>
    decodeMessage(content, `contents[${index}]`),
  );
  const system = decodeSystem(object.systemInstruction);
  const conversation = { system, tools: decodeTools(object.tools), messages };
  return { ...decodeFields(object, LAYOUT), ...given({ model: line.model, stream: line.stream }), conversation };
}

/** The body with the names of its fields as we know them, down to where a client's own data begins. */
function spellBody(body: JsonObject): JsonObject {
  const spelled = OPENED.reduce(camelField, camelFields(body));
  return respell(respell(spelled, "generationConfig", "thinkingConfig"), "toolConfig", "functionCallingConfig");
}

function respell(body: JsonObject, outer: string, inner: string): JsonObject {
  const value = body[outer];
  return isJsonObject(value) ? { ...body, [outer]: camelField(value, inner) } : body;
}

function decodeSystem(system: JsonValue | undefined): readonly Block[] {
  if (system === undefined || system === null) return [];
  if (typeof system === "string")
    return [{ type: "text", text: system, native: { wire: WIRE, value: { text: system } } }];
  return decodeParts(readObject(system, "systemInstruction").parts, "systemInstruction.parts");
}

/** Writes a request for an upstream. */
export function encodeRequest(request: Request, target: Target): EncodedRequest {
  return finish(encodeSteps(request, target));
}

/** Does the same in steps. */
export function* encodeSteps(request: Request, target: Target): Steps<EncodedRequest> {
  const { request: fitted, fitting, warnings, restore } = yield* fitRequest(request, RULES, target);
  const audience: Audience = { vendor: fitting.vendor, extras: fitting.isNative };
  const { system, tools, messages } = fitted.conversation;
  const own = fitting.isNative && isJsonObject(request.native?.value) ? request.native.value : {};
  const body: Record<string, JsonValue> = { ...encodeFields(fitted, LAYOUT, target) };
  if (system.length > 0) body.systemInstruction = encodeSystem(system, own.systemInstruction, audience);
  if (tools.length > 0) body.tools = encodeTools(tools, own.tools, audience);
  yield;
  body.contents = messages.map((message) => encodeMessage(message, audience));
  return { body, warnings, restore };
}

/** Writes the system prompt; what the client says of it besides its parts stays. */
function encodeSystem(system: readonly Block[], own: JsonValue | undefined, audience: Audience): JsonValue {
  return { ...(isJsonObject(own) ? own : undefined), parts: encodeParts(system, audience) };
}
