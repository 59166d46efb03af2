import { LonghaulError } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { decodeError, encodeError } from "./error.ts";

describe("encodeError", () => {
  it("writes an overflow with the message that Claude Code matches", () => {
    const words = (overflow: NonNullable<LonghaulError["overflow"]>) =>
      encodeError(new LonghaulError("request.too-large", "x", { overflow }));
    expect(words({ actualTokens: 204_826, limitTokens: 200_000 })).toEqual({
      status: 400,
      body: {
        type: "error",
        error: { type: "invalid_request_error", message: "prompt is too long: 204826 tokens > 200000 maximum" },
      },
    });
    expect(words({}).body).toMatchObject({ error: { message: "prompt is too long" } });
    expect(words({ actualTokens: 188_240, outputTokens: 21_333, limitTokens: 200_000 }).body).toMatchObject({
      error: {
        message:
          "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again",
      },
    });
  });

  it.each([
    [400, "invalid_request_error"],
    [401, "authentication_error"],
    [402, "billing_error"],
    [403, "permission_error"],
    [404, "not_found_error"],
    [413, "request_too_large"],
    [422, "invalid_request_error"],
    [429, "rate_limit_error"],
    [502, "api_error"],
    [504, "timeout_error"],
    [529, "overloaded_error"],
  ])("maps status %i to %s", (status, type) => {
    const { status: sent, body } = encodeError(new LonghaulError("upstream.refused", "No.", { status }));
    expect([sent, body]).toEqual([status, { type: "error", error: { type, message: "No." } }]);
  });
});

describe("decodeError", () => {
  it("keeps the upstream's message, which clients match", () => {
    const message = "messages.1.content.0: Invalid `signature` in `thinking` block.";
    const body = { type: "error", error: { type: "invalid_request_error", message }, request_id: "req_1" };
    expect(decodeError(400, body)).toMatchObject({ code: "upstream.refused", status: 400, message, cause: body });
  });

  it("uses the type inside a stream", () => {
    const error = (type: string) => decodeError(200, { type: "error", error: { type, message: "m" } });
    expect(error("overloaded_error")).toMatchObject({ code: "upstream.busy", status: 529 });
    expect(error("rate_limit_error")).toMatchObject({ code: "upstream.busy", status: 429 });
    expect(error("unheard_of")).toMatchObject({ code: "upstream.broken", status: 500 });
  });
});
