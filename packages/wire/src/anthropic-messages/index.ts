import type { Codec } from "../codec/codec.ts";
import { readBody } from "../fields/json.ts";
import { API, REASONING, TRAITS } from "./api.ts";
import { decodeContextEdits, withoutContextEdits } from "./context-management.ts";
import { decodeMessage } from "./decode-message.ts";
import { decodeStream } from "./decode-stream.ts";
import { encodeMessage } from "./encode-message.ts";
import { encodeStream } from "./encode-stream.ts";
import { decodeError, encodeError } from "./error.ts";
import { decodeReply, decodeUsage, encodeReply } from "./reply.ts";
import { decodeRequest, decodeSteps, encodeRequest, encodeSteps } from "./request.ts";
import { VENDOR, WIRE } from "./rules.ts";

/** Anthropic's Messages API. */
export const anthropicMessages: Codec = {
  id: WIRE,
  vendor: VENDOR,
  messagesField: "messages",
  opensWithSystem: false,
  own: { parts: ["tool_use", "tool_result", "thinking", "redacted_thinking", "image", "document"] },
  markers: {
    reply: ['"stop_reason"'],
    end: ['"message_stop"'],
    failure: ['"type":"error"', '"type": "error"'],
  },
  api: API,
  reasoning: REASONING,
  traits: TRAITS,
  contextEdits: { field: "context_management", decode: decodeContextEdits, remove: withoutContextEdits },
  decodeRequest,
  decodeSteps,
  decodeMessage: (value) => decodeMessage(readBody(value, "message")),
  encodeRequest,
  encodeSteps,
  messageWriter: (_conversation, vendor) => (message) => [encodeMessage(message, { vendor, extras: true })],
  decodeReply,
  encodeReply,
  decodeUsage,
  decodeStream,
  encodeStream,
  decodeError,
  encodeError,
};
