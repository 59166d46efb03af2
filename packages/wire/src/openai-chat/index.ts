import { isJsonObject } from "@longhaul/conversation";
import type { Codec } from "../codec/codec.ts";
import { finish } from "../codec/stepper.ts";
import { readBody } from "../fields/json.ts";
import { API, REASONING, TRAITS } from "./api.ts";
import { decodeMessage } from "./decode-message.ts";
import { decodeStream } from "./decode-stream.ts";
import { encodeMessages } from "./encode-message.ts";
import { encodeStream } from "./encode-stream.ts";
import { decodeError, encodeError } from "./error.ts";
import { decodeReply, decodeUsage, encodeReply } from "./reply.ts";
import { decodeRequest, decodeSteps, encodeRequest, encodeSteps, freeTextNames } from "./request.ts";
import { VENDOR, WIRE } from "./rules.ts";

/** OpenAI's chat completions, also used by OpenRouter, vLLM, DeepSeek and many others. */
export const openaiChat: Codec = {
  id: WIRE,
  vendor: VENDOR,
  messagesField: "messages",
  opensWithSystem: true,
  own: {
    fields: ["tool_calls", "function_call", "tool_call_id"],
    roles: ["tool", "function", "developer"],
    parts: ["image_url", "input_audio", "file"],
  },
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
  decodeMessage: (value) => decodeMessage(readBody(value, "message")),
  encodeRequest,
  encodeSteps,
  messageWriter: ({ tools }, vendor) => {
    const options = { vendor, extras: true, freeTextTools: freeTextNames(tools) };
    return (message) => finish(encodeMessages([message], options));
  },
  decodeReply,
  encodeReply,
  decodeUsage,
  decodeStream,
  encodeStream,
  decodeError,
  encodeError,
};
