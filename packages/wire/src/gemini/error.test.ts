import { LonghaulError } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { decodeError, encodeError } from "./error.ts";

const OVERFLOW = "The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).";

describe("decodeError", () => {
  it("recognizes a prompt that is too long, with both counts", () => {
    const body = { error: { code: 400, message: OVERFLOW, status: "INVALID_ARGUMENT" } };
    expect(decodeError(400, body)).toMatchObject({
      code: "request.too-large",
      status: 400,
      message: OVERFLOW,
      overflow: { actualTokens: 1_200_293, limitTokens: 1_048_576 },
      cause: body,
    });
  });

  it("decodes the retry delay", () => {
    const details = [
      { "@type": "type.googleapis.com/google.rpc.Help", links: [] },
      { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.4s" },
    ];
    const error = { code: 429, message: "You exceeded your current quota.", status: "RESOURCE_EXHAUSTED", details };
    expect(decodeError(429, { error })).toMatchObject({
      code: "upstream.busy",
      status: 429,
      retryable: true,
      retryAfterMs: 34_400,
    });
    const soon = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "soon" }];
    expect(decodeError(429, { error: { ...error, details: soon } }).retryAfterMs).toBeUndefined();
  });

  it("decodes an error in an array or a stream", () => {
    const error = { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" };
    expect(decodeError(503, [{ error }])).toMatchObject({ code: "upstream.busy", message: error.message });
    expect(decodeError(200, { error })).toMatchObject({ code: "upstream.busy", status: 503 });
    expect(decodeError(200, { error: { message: "No.", status: "PERMISSION_DENIED" } })).toMatchObject({ status: 403 });
    expect(decodeError(200, { error: { message: "Odd." } })).toMatchObject({ code: "upstream.broken", status: 500 });
  });
});

describe("encodeError", () => {
  it("writes an overflow with Google's message", () => {
    const overflow = { actualTokens: 1_200_293, limitTokens: 1_048_576 };
    expect(encodeError(new LonghaulError("request.too-large", "too long", { overflow }))).toEqual({
      status: 400,
      body: { error: { code: 400, message: OVERFLOW, status: "INVALID_ARGUMENT" } },
    });
    expect(encodeError(new LonghaulError("request.too-large", "too long", { overflow: {} })).body).toEqual({
      error: {
        code: 400,
        message: "The input token count exceeds the maximum number of tokens allowed.",
        status: "INVALID_ARGUMENT",
      },
    });
  });

  it("writes the retry delay", () => {
    expect(encodeError(new LonghaulError("limit.exceeded", "Later.", { retryAfterMs: 1_500 })).body).toEqual({
      error: {
        code: 429,
        message: "Later.",
        status: "RESOURCE_EXHAUSTED",
        details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "1.5s" }],
      },
    });
  });

  it.each([
    [401, "UNAUTHENTICATED"],
    [403, "PERMISSION_DENIED"],
    [404, "NOT_FOUND"],
    [413, "INVALID_ARGUMENT"],
    [422, "INVALID_ARGUMENT"],
    [500, "INTERNAL"],
    [502, "UNAVAILABLE"],
    [504, "DEADLINE_EXCEEDED"],
    [529, "UNAVAILABLE"],
  ])("maps status %i to %s", (status, name) => {
    expect(encodeError(new LonghaulError("upstream.refused", "No.", { status }))).toEqual({
      status,
      body: { error: { code: status, message: "No.", status: name } },
    });
  });
});
