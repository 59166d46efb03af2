import { LonghaulError } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { decodeError, encodeError } from "./error.ts";

describe("encodeError", () => {
  it("writes an overflow like OpenAI", () => {
    const overflow = { actualTokens: 202_868, limitTokens: 128_000 };
    expect(encodeError(new LonghaulError("request.too-large", "x", { overflow }))).toEqual({
      status: 400,
      body: {
        error: {
          message:
            "This model's maximum context length is 128000 tokens. However, your messages resulted in 202868 tokens. Please reduce the length of the messages.",
          type: "invalid_request_error",
          param: "messages",
          code: "context_length_exceeded",
        },
      },
    });
    expect(encodeError(new LonghaulError("request.too-large", "x", { overflow: {} })).body).toMatchObject({
      error: { code: "context_length_exceeded", message: expect.stringContaining("context window") },
    });
  });

  it("writes 503 instead of 529", () => {
    expect(encodeError(new LonghaulError("upstream.busy", "Overloaded", { status: 529 })).status).toBe(503);
  });
});

describe("decodeError", () => {
  it("decodes an empty 400 or 413 as an overflow", () => {
    expect(decodeError(400, "")).toMatchObject({ code: "request.too-large", overflow: {} });
    expect(decodeError(413, undefined)).toMatchObject({ code: "request.too-large", overflow: {} });
    expect(decodeError(500, "")).toMatchObject({ code: "upstream.broken" });
  });

  it("decodes other errors like OpenAI's", () => {
    expect(decodeError(429, { error: { message: "Slow down.", code: "rate_limit_exceeded" } })).toMatchObject({
      code: "upstream.busy",
    });
  });
});
