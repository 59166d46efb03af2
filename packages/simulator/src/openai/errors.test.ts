import { expect, it } from "vitest";
import { Rejection } from "../core/rejection.ts";
import { openaiDialect, openaiError } from "./errors.ts";

it("words a refusal with message, type, param and code", () => {
  const rejection = new Rejection(400, "m", { code: "context_length_exceeded", param: "messages" });
  expect(openaiDialect.error(rejection, "req_1")).toEqual({
    kind: "json",
    status: 400,
    headers: { "x-request-id": "req_1" },
    body: {
      error: { message: "m", type: "invalid_request_error", param: "messages", code: "context_length_exceeded" },
    },
  });
});

it.each([
  [401, "invalid_request_error", null],
  [429, "rate_limit_error", "rate_limit_exceeded"],
  [500, "server_error", null],
  [502, "server_error", null],
  [503, "service_unavailable_error", null],
])("knows the type of status %d", (status, type, code) => {
  expect(openaiError(new Rejection(status, "m"))).toMatchObject({ type, code });
});

it("says an error inside a chat stream and ends it", () => {
  const [error, done] = openaiDialect.streamError(new Rejection(500, "m"));
  expect([JSON.parse(error?.data ?? ""), done]).toEqual([
    { error: { message: "m", type: "server_error", param: null, code: null } },
    { data: "[DONE]" },
  ]);
});
