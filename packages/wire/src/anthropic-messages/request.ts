import { isJsonObject, type JsonValue, type Request } from "@longhaul/conversation";
import type { EncodedRequest } from "../codec/codec.ts";
import { finish, type Steps } from "../codec/stepper.ts";
import type { Audience, Target } from "../codec/target.ts";
import { type BodyLayout, decodeFields, encodeFields } from "../fields/body.ts";
import { readBody, readList } from "../fields/read.ts";
import { fitRequest } from "../fit/fit.ts";
import { decodeContent, decodeMessage } from "./decode-message.ts";
import { encodeContent, encodeMessage } from "./encode-message.ts";
import { RULES, WIRE } from "./rules.ts";
import { OPENED, SETTINGS } from "./settings.ts";
import { decodeTools, encodeTool } from "./tools.ts";

const LAYOUT: BodyLayout = {
  wire: WIRE,
  settings: SETTINGS,
  opened: OPENED,
  conversation: ["system", "tools", "messages"],
};

/** Reads a client's request. */
export function decodeRequest(body: unknown): Request {
  const object = readBody(body, "body");
  const messages = readList(object.messages, "messages").map((message, index) =>
    decodeMessage(message, `messages[${index}]`),
  );
  const system = decodeContent(object.system, "system");
  const conversation = { system, tools: decodeTools(object.tools), messages };
  return { ...decodeFields(object, LAYOUT), conversation };
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
  const body: Record<string, JsonValue> = { ...encodeFields(fitted, LAYOUT, target) };
  // What the client says about thinking means nothing, and is refused, where the thinking itself had to go.
  if (isJsonObject(body.thinking) && body.thinking.type === undefined) delete body.thinking;
  if (system.length > 0) body.system = encodeContent(system, audience);
  if (tools.length > 0) body.tools = tools.map((tool) => encodeTool(tool, audience));
  yield;
  body.messages = messages.map((message) => encodeMessage(message, audience));
  return { body, warnings, restore };
}
