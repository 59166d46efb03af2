import type { Codec } from "../codec/codec.ts";
import { API, REASONING, TRAITS } from "./api.ts";
import { decodeStream } from "./decode-stream.ts";
import { encodeStream } from "./encode-stream.ts";
import { decodeError, encodeError } from "./error.ts";
import { MESSAGES } from "./messages.ts";
import { decodeReply, decodeUsage, encodeReply } from "./reply.ts";
import { decodeRequest, decodeSteps, encodeRequest, encodeSteps } from "./request.ts";

/** OpenAI's Responses API. */
export const openaiResponses: Codec = {
  ...MESSAGES,
  markers: {
    reply: ['"output"'],
    // Some compatible servers end like a chat stream.
    end: ['"response.completed"', '"response.incomplete"', '"response.failed"', "data: [DONE]", "data:[DONE]"],
    failure: ['"type":"error"', '"type": "error"', '"response.failed"'],
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
