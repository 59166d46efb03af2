import type { Codec } from "../codec/codec.ts";
import { API, REASONING, TRAITS } from "./api.ts";
import { decodeStream } from "./decode-stream.ts";
import { encodeStream } from "./encode-stream.ts";
import { decodeError, encodeError } from "./error.ts";
import { MESSAGES } from "./messages.ts";
import { decodeReply, decodeUsage, encodeReply } from "./reply.ts";
import { decodeRequest, decodeSteps, encodeRequest, encodeSteps } from "./request.ts";

/** Google's generateContent and streamGenerateContent, for the Gemini API and Vertex. */
export const gemini: Codec = {
  ...MESSAGES,
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
  encodeRequest,
  encodeSteps,
  decodeReply,
  encodeReply,
  decodeUsage,
  decodeStream,
  encodeStream,
  decodeError,
  encodeError,
};
