import type { Conversation, JsonObject } from "@longhaul/conversation";
import type { MessageCodec } from "../codec/codec.ts";
import { finish, type Steps } from "../codec/stepper.ts";
import { readBody, readSteps } from "../fields/json.ts";
import { decodeContent, decodeMessage } from "./decode-message.ts";
import { encodeMessage } from "./encode-message.ts";
import { VENDOR, WIRE } from "./rules.ts";
import { toolSteps } from "./tools.ts";

/** The messages of Anthropic's Messages API. */
export const MESSAGES: MessageCodec = {
  id: WIRE,
  vendor: VENDOR,
  messagesField: "messages",
  opensWithSystem: false,
  own: { parts: ["tool_use", "tool_result", "thinking", "redacted_thinking", "image", "document"] },
  decodeConversation: (body) => finish(conversationSteps(readBody(body, "body"))),
  decodeMessage: (value) => decodeMessage(readBody(value, "message")),
  messageWriter: (_conversation, vendor) => (message) => [encodeMessage(message, { vendor, extras: true })],
};

/** Decodes the conversation of a request's body. */
export function* conversationSteps(body: JsonObject): Steps<Conversation> {
  const messages = yield* readSteps(body.messages, "messages", decodeMessage);
  const system = decodeContent(body.system, "system");
  return { system, tools: yield* toolSteps(body.tools), messages };
}
