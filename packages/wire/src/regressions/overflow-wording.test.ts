import { describe, expect, it } from "vitest";
import { codecNamed, codecOf } from "../codecs.ts";
import { FORMATS } from "../testing/formats.ts";
import { runStream } from "../testing/stream.ts";

// A client compacts only on its own vendor's message. Each upstream's error, in its vendor's wording:
const UPSTREAMS = [
  [
    "anthropic-messages",
    400,
    {
      type: "error",
      error: { type: "invalid_request_error", message: "prompt is too long: 204826 tokens > 200000 maximum" },
    },
  ],
  [
    "openai-chat",
    400,
    {
      error: {
        message:
          "This model's maximum context length is 200000 tokens. However, your messages resulted in 204826 tokens (204725 in the messages, 101 in the functions). Please reduce the length of the messages or functions.",
        type: "invalid_request_error",
        param: "messages",
        code: "context_length_exceeded",
      },
    },
  ],
  [
    "gemini",
    400,
    {
      error: {
        code: 400,
        message: "The input token count (204826) exceeds the maximum number of tokens allowed (200000).",
        status: "INVALID_ARGUMENT",
      },
    },
  ],
] as const;

describe.each(UPSTREAMS)("an overflow of %s", (wire, status, body) => {
  const error = codecOf(wire).decodeError(status, body);

  it("is recognized with its counts", () => {
    expect(error).toMatchObject({
      code: "request.too-large",
      overflow: { actualTokens: 204_826, limitTokens: 200_000 },
    });
  });

  it("reaches Claude Code with the message that makes it compact", () => {
    expect(codecOf("anthropic-messages").encodeError(error)).toEqual({
      status: 400,
      body: {
        type: "error",
        error: { type: "invalid_request_error", message: "prompt is too long: 204826 tokens > 200000 maximum" },
      },
    });
  });

  it("reaches OpenAI's clients with the code that they match", () => {
    for (const format of ["openai-chat", "openai-responses"]) {
      expect(codecNamed(format).encodeError(error)).toMatchObject({
        status: 400,
        body: { error: { code: "context_length_exceeded" } },
      });
    }
  });

  it("reaches Gemini's clients with Google's message", () => {
    expect(codecOf("gemini").encodeError(error).body).toMatchObject({
      error: {
        code: 400,
        status: "INVALID_ARGUMENT",
        message: "The input token count (204826) exceeds the maximum number of tokens allowed (200000).",
      },
    });
  });
});

describe("an overflow inside a stream of Responses", () => {
  const error = {
    type: "invalid_request_error",
    code: "context_length_exceeded",
    message: "Your input exceeds the context window of this model. Please adjust your input and try again.",
    param: "input",
  };

  it.each(FORMATS)("is recognized and sent as one to a client of $codec.id", ({ codec }) => {
    const read = runStream(codecOf("openai-responses").decodeStream, [
      { event: "error", data: JSON.stringify({ type: "error", error }) },
    ]);
    const [failure] = read;
    expect(failure).toMatchObject({ type: "error", error: { code: "request.too-large", overflow: {} } });
    const encoded = failure?.type === "error" ? codec.encodeError(failure.error) : undefined;
    expect(codec.decodeError(encoded?.status ?? 0, encoded?.body)).toMatchObject({ code: "request.too-large" });
  });
});

it("does not treat a rate limit on tokens as an overflow", () => {
  const body = { message: "Too many tokens, please wait before trying again." };
  expect(codecOf("anthropic-messages").decodeError(429, { error: body })).toMatchObject({
    code: "upstream.busy",
    overflow: undefined,
  });
});
