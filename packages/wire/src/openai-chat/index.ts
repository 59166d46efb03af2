import { isJsonObject } from "@longhaul/conversation";
import type { Codec } from "../codec/codec.ts";
import { API, REASONING, TRAITS } from "./api.ts";
import { decodeStream } from "./decode-stream.ts";
import { encodeStream } from "./encode-stream.ts";
import { decodeError, encodeError } from "./error.ts";
import { MESSAGES } from "./messages.ts";
import { decodeReply, decodeUsage, encodeReply } from "./reply.ts";
import { decodeRequest, decodeSteps, encodeRequest, encodeSteps } from "./request.ts";

/** OpenAI's chat completions, also used by OpenRouter, vLLM, DeepSeek and many others. */
export const openaiChat: Codec = {
  ...MESSAGES,
  markers: {
    reply: ['"finish_reason":"', '"finish_reason": "'],
    // Some servers end a stream without [DONE].
    end: ["data: [DONE]", "data:[DONE]", '"finish_reason":"', '"finish_reason": "'],
    failure: ['"error":{', '"error": {'],
  },
  api: API,
  reasoning: REASONING,
  traits: TRAITS,
  wantsStreamUsage: ({ stream_options: options }) => isJsonObject(options) && options.include_usage === true,
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
