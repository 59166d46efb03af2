import { LonghaulError } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { decodeError, encodeError } from "./error.ts";

describe("errors of Responses", () => {
  it("have the API's message for an overflow", () => {
    const overflow = { actualTokens: 9, limitTokens: 8 };
    expect(encodeError(new LonghaulError("request.too-large", "x", { overflow }))).toEqual({
      status: 400,
      body: {
        error: {
          message: "Your input exceeds the context window of this model. Please adjust your input and try again.",
          type: "invalid_request_error",
          param: "input",
          code: "context_length_exceeded",
        },
      },
    });
  });

  it("are decoded from a body, a stream and a failed response", () => {
    const inner = { code: "rate_limit_exceeded", message: "Slow down." };
    for (const body of [
      { error: inner },
      { type: "error", ...inner, param: null },
      { status: "failed", error: inner },
    ]) {
      expect(decodeError(200, body)).toMatchObject({ code: "upstream.busy", status: 429, message: "Slow down." });
    }
  });
});
