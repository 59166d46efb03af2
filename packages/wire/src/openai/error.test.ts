import { LonghaulError } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { decodeOpenAiError, encodeOpenAiError, openAiStatus } from "./error.ts";

describe("decodeOpenAiError", () => {
  it("uses the status, and inside a 200 the code or the type", () => {
    const error = { message: "Slow down.", type: "requests", code: "rate_limit_exceeded" };
    expect(decodeOpenAiError(429, { error })).toMatchObject({
      code: "upstream.busy",
      status: 429,
      message: "Slow down.",
    });
    expect(decodeOpenAiError(200, { error })).toMatchObject({ code: "upstream.busy", status: 429 });
    expect(decodeOpenAiError(200, { error: { message: "m", code: 502 } })).toMatchObject({ status: 502 });
    expect(decodeOpenAiError(200, { error: { message: "m", type: "server_error" } })).toMatchObject({ status: 500 });
    expect(decodeOpenAiError(200, { type: "error", code: "unheard_of", message: "m" })).toMatchObject({ status: 500 });
  });

  it("decodes an error that is only text", () => {
    expect(decodeOpenAiError(404, { error: "model not found" })).toMatchObject({
      status: 404,
      message: "model not found",
    });
  });

  it("decodes OpenRouter's own error type", () => {
    const error = { code: 400, message: "too big", metadata: { error_type: "context_length_exceeded" } };
    expect(decodeOpenAiError(400, { error })).toMatchObject({ code: "request.too-large", overflow: {} });
  });
});

describe("encodeOpenAiError", () => {
  it("has a type and a code for every status", () => {
    const written = [400, 401, 403, 404, 409, 413, 429, 500, 502, 503, 504, 529].map((status) => {
      const error = new LonghaulError("upstream.refused", "No.", { status });
      const { type, code } = encodeOpenAiError(error, undefined);
      return [openAiStatus(error), type, code];
    });
    expect(written).toEqual([
      [400, "invalid_request_error", null],
      [401, "invalid_request_error", "invalid_api_key"],
      [403, "permission_error", "permission_denied"],
      [404, "invalid_request_error", "model_not_found"],
      [409, "invalid_request_error", null],
      [413, "invalid_request_error", "request_too_large"],
      [429, "rate_limit_error", "rate_limit_exceeded"],
      [500, "server_error", "server_error"],
      [502, "server_error", "server_error"],
      [503, "server_error", "overloaded"],
      [504, "server_error", "timeout"],
      [503, "server_error", "overloaded"],
    ]);
  });

  it.each([
    ["a model that no route serves", { param: "model" }, "model_not_found"],
    ["a path that does not exist", {}, null],
  ])("writes the code for %s", (_, details, code) => {
    expect(encodeOpenAiError(new LonghaulError("route.unknown", "No.", details), undefined)).toMatchObject({ code });
  });

  it.each([
    ["previous_response_id", 400, "previous_response_not_found"],
    ["input", 404, null],
  ])("uses the code that clients expect if %s refers to nothing stored", (param, status, code) => {
    const error = new LonghaulError("request.not-kept", "Not found.", { param, status });
    expect(encodeOpenAiError(error, undefined)).toEqual({
      message: "Not found.",
      type: "invalid_request_error",
      param,
      code,
    });
  });
});
