import type { JsonObject, LonghaulError } from "@longhaul/conversation";
import type { EncodedError } from "../codec/codec.ts";
import { withAdvice } from "../errors/upstream-error.ts";
import { decodeOpenAiError, encodeOpenAiError, openAiStatus } from "../openai/error.ts";

/** Decodes an upstream's error: a body, a stream event or a failed response. */
export const decodeError = decodeOpenAiError;

export function encodeError(error: LonghaulError): EncodedError {
  return { status: openAiStatus(error), body: { error: encodeErrorObject(error) } };
}

const TOO_LONG = "Your input exceeds the context window of this model. Please adjust your input and try again.";

/** Encodes the error object, which is also sent in streams and failed responses. */
export function encodeErrorObject(error: LonghaulError): JsonObject {
  const { overflow } = error;
  return encodeOpenAiError(error, overflow && { message: withAdvice(TOO_LONG, overflow), param: "input" });
}
