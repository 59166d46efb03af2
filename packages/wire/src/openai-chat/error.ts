import { type JsonObject, LonghaulError, type Overflow } from "@longhaul/conversation";
import type { EncodedError } from "../codec/codec.ts";
import { withAdvice } from "../errors/upstream-error.ts";
import { decodeOpenAiError, encodeOpenAiError, openAiStatus } from "../openai/error.ts";

/** Reads an upstream's error. */
export function decodeError(status: number, body: unknown): LonghaulError {
  // Cerebras refuses what is too long without a word.
  const isMute = (status === 400 || status === 413) && (body === undefined || body === "");
  if (!isMute) return decodeOpenAiError(status, body);
  return new LonghaulError("request.too-large", `the upstream answered ${status} without a word`, {
    status,
    overflow: {},
  });
}

/** Writes an error in the words that clients act upon. */
export function encodeError(error: LonghaulError): EncodedError {
  return { status: openAiStatus(error), body: encodeErrorBody(error) };
}

/** The body of an error, which is also what a stream says of one. */
export function encodeErrorBody(error: LonghaulError): JsonObject {
  const { overflow } = error;
  return {
    error: encodeOpenAiError(
      error,
      overflow && { message: withAdvice(overflowMessage(overflow), overflow), param: "messages" },
    ),
  };
}

function overflowMessage({ actualTokens, limitTokens }: Overflow): string {
  if (limitTokens === undefined) return "Your input exceeds the context window of this model.";
  const limit = `This model's maximum context length is ${limitTokens} tokens.`;
  const actual = actualTokens === undefined ? "" : ` However, your messages resulted in ${actualTokens} tokens.`;
  return `${limit}${actual} Please reduce the length of the messages.`;
}
