import type { Codec } from "../codec/codec.ts";
import { readBody } from "../fields/json.ts";
import { API, REASONING, TRAITS } from "./api.ts";
import { decodeMessage } from "./decode-message.ts";
import { decodeStream } from "./decode-stream.ts";
import { encodeMessage } from "./encode-message.ts";
import { encodeStream } from "./encode-stream.ts";
import { decodeError, encodeError } from "./error.ts";
import { decodeReply, decodeUsage, encodeReply } from "./reply.ts";
import { decodeRequest, decodeSteps, encodeRequest, encodeSteps, freeTextIn } from "./request.ts";
import { VENDOR, WIRE } from "./rules.ts";

/** OpenAI's Responses API. */
export const openaiResponses: Codec = {
  id: WIRE,
  vendor: VENDOR,
  messagesField: "input",
  opensWithSystem: true,
  own: {
    types: [
      "function_call",
      "function_call_output",
      "custom_tool_call",
      "custom_tool_call_output",
      "reasoning",
      "item_reference",
    ],
    parts: ["input_text", "output_text", "input_image", "input_file"],
  },
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
  decodeMessage: (value) => decodeMessage(readBody(value, "item")),
  encodeRequest,
  encodeSteps,
  messageWriter: (conversation, vendor) => {
    const options = { vendor, extras: true, ...freeTextIn(conversation) };
    return (message) => encodeMessage(message, options);
  },
  decodeReply,
  encodeReply,
  decodeUsage,
  decodeStream,
  encodeStream,
  decodeError,
  encodeError,
};
