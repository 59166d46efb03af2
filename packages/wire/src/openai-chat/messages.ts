import type { Conversation, JsonObject, Message, Tool } from "@longhaul/conversation";
import type { MessageCodec } from "../codec/codec.ts";
import { finish, type Steps } from "../codec/stepper.ts";
import { readBody, readSteps } from "../fields/json.ts";
import { decodeMessage } from "./decode-message.ts";
import { encodeMessages } from "./encode-message.ts";
import { VENDOR, WIRE } from "./rules.ts";
import { toolSteps } from "./tools.ts";

/** The messages of OpenAI's chat completions. */
export const MESSAGES: MessageCodec = {
  id: WIRE,
  vendor: VENDOR,
  messagesField: "messages",
  opensWithSystem: true,
  own: {
    fields: ["tool_calls", "function_call", "tool_call_id"],
    roles: ["tool", "function", "developer"],
    parts: ["image_url", "input_audio", "file"],
  },
  decodeConversation: (body) => finish(conversationSteps(readBody(body, "body"))),
  decodeMessage: (value) => decodeMessage(readBody(value, "message")),
  messageWriter: ({ tools }, vendor) => {
    const options = { vendor, extras: true, freeTextTools: freeTextNames(tools) };
    return (message) => finish(encodeMessages([message], options));
  },
};

/** Decodes the conversation of a request's body. Leading system messages form the system prompt. */
export function* conversationSteps(body: JsonObject): Steps<Conversation> {
  const messages = yield* readSteps(body.messages, "messages", decodeMessage);
  const opening = openingSystem(messages);
  return {
    system: opening.flatMap(({ blocks }) => blocks),
    tools: yield* toolSteps(body.tools),
    messages: messages.slice(opening.length),
  };
}

function openingSystem(messages: readonly Message[]): readonly Message[] {
  const first = messages.findIndex(({ role }) => role !== "system");
  return first === -1 ? messages : messages.slice(0, first);
}

export function freeTextNames(tools: readonly Tool[]): ReadonlySet<string> {
  return new Set(tools.filter(({ kind }) => kind === "custom").map(({ name }) => name));
}
