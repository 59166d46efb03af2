import type { Codec } from "../codec/codec.ts";
import { readBody } from "../fields/json.ts";
import { API, REASONING, TRAITS } from "./api.ts";
import { decodeMessage } from "./decode-message.ts";
import { decodeStream } from "./decode-stream.ts";
import { encodeMessage } from "./encode-message.ts";
import { encodeStream } from "./encode-stream.ts";
import { decodeError, encodeError } from "./error.ts";
import { decodeReply, decodeUsage, encodeReply } from "./reply.ts";
import { decodeRequest, decodeSteps, encodeRequest, encodeSteps } from "./request.ts";
import { VENDOR, WIRE } from "./rules.ts";

/** Google's generateContent and streamGenerateContent, for the Gemini API and Vertex. */
export const gemini: Codec = {
  id: WIRE,
  vendor: VENDOR,
  messagesField: "contents",
  opensWithSystem: false,
  own: { fields: ["parts"] },
  markers: {
    reply: ['"finishReason"', '"blockReason"'],
    // A stream has no final event: it ends after the chunk with the finish reason.
    end: ['"finishReason"', '"blockReason"'],
    failure: ['"error":{', '"error": {'],
  },
  api: API,
  reasoning: REASONING,
  traits: TRAITS,
  decodeRequest,
  decodeSteps,
  decodeMessage: (value) => decodeMessage(readBody(value, "content")),
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
