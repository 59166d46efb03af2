import type { Block, Conversation, JsonObject, JsonValue } from "@longhaul/conversation";
import type { MessageCodec } from "../codec/codec.ts";
import { finish, type Steps } from "../codec/stepper.ts";
import { readBody, readObject, readSteps } from "../fields/json.ts";
import { decodeMessage, decodeParts } from "./decode-message.ts";
import { encodeMessage } from "./encode-message.ts";
import { camelFields } from "./field-names.ts";
import { VENDOR, WIRE } from "./rules.ts";
import { toolSteps } from "./tools.ts";

/** The contents of Google's generateContent. */
export const MESSAGES: MessageCodec = {
  id: WIRE,
  vendor: VENDOR,
  messagesField: "contents",
  opensWithSystem: false,
  own: { fields: ["parts"] },
  decodeConversation: (body) => finish(conversationSteps(camelFields(readBody(body, "body")))),
  decodeMessage: (value) => decodeMessage(readBody(value, "content")),
  messageWriter: (_conversation, vendor) => (message) => [encodeMessage(message, { vendor, extras: true })],
};

/** Decodes the conversation of a request's body. */
export function* conversationSteps(body: JsonObject): Steps<Conversation> {
  const messages = yield* readSteps(body.contents, "contents", decodeMessage);
  const system = decodeSystem(body.systemInstruction);
  return { system, tools: yield* toolSteps(body.tools), messages };
}

function decodeSystem(system: JsonValue | undefined): readonly Block[] {
  if (system === undefined || system === null) return [];
  if (typeof system === "string")
    return [{ type: "text", text: system, native: { wire: WIRE, value: { text: system } } }];
  return decodeParts(readObject(system, "systemInstruction").parts, "systemInstruction.parts");
}
