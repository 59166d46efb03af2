import type { Codec } from "../codec/codec.ts";
import { API, REASONING, TRAITS } from "./api.ts";
import { decodeContextEdits, withoutContextEdits } from "./context-management.ts";
import { decodeStream } from "./decode-stream.ts";
import { encodeStream } from "./encode-stream.ts";
import { decodeError, encodeError } from "./error.ts";
import { MESSAGES } from "./messages.ts";
import { decodeReply, decodeUsage, encodeReply } from "./reply.ts";
import { decodeRequest, decodeSteps, encodeRequest, encodeSteps } from "./request.ts";

/** Anthropic's Messages API. */
export const anthropicMessages: Codec = {
  ...MESSAGES,
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
