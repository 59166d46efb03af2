import { type JsonObject, LonghaulError, type Overflow } from "@longhaul/conversation/advanced";
import type { EncodedError } from "../codec/codec.ts";
import { withAdvice } from "../errors/upstream-error.ts";
import { decodeOpenAiError, encodeOpenAiError, openAiStatus } from "../openai/error.ts";

export function decodeError(status: number, body: unknown): LonghaulError {
  // Cerebras rejects a request that is too long with an empty body.
  const isEmpty = (status === 400 || status === 413) && (body === undefined || body === "");
  if (!isEmpty) return decodeOpenAiError(status, body);
  return new LonghaulError("request.too-large", `the upstream returned status ${status} with an empty body`, {
    status,
    overflow: {},
  });
}

export function encodeError(error: LonghaulError): EncodedError {
  return { status: openAiStatus(error), body: encodeErrorBody(error) };
}

/** Encodes the body of an error, which is also sent in streams. */
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
