import type { JsonObject, LonghaulError } from "@longhaul/conversation";
import type { EncodedError } from "../codec/codec.ts";
import { withAdvice } from "../errors/upstream-error.ts";
import { decodeOpenAiError, encodeOpenAiError, openAiStatus } from "../openai/error.ts";

/** Reads an upstream's error, alone, inside a stream or inside a failed response. */
export function decodeError(status: number, body: unknown): LonghaulError {
  return decodeOpenAiError(status, body);
}

/** Writes an error in the words that clients act upon. */
export function encodeError(error: LonghaulError): EncodedError {
  return { status: openAiStatus(error), body: { error: encodeErrorObject(error) } };
}

const TOO_LONG = "Your input exceeds the context window of this model. Please adjust your input and try again.";

/** The error itself, which a stream and a failed response say too. */
export function encodeErrorObject(error: LonghaulError): JsonObject {
  const { overflow } = error;
  return encodeOpenAiError(error, overflow && { message: withAdvice(TOO_LONG, overflow), param: "input" });
}
