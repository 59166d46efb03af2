import { expect, it } from "vitest";
import { Rejection } from "../core/rejection.ts";
import { anthropicDialect } from "./errors.ts";

it("words a refusal with type, message and request id", () => {
  const reply = anthropicDialect.error(new Rejection(400, "prompt is too long: 2 tokens > 1 maximum"), "req_1");
  expect(reply).toEqual({
    kind: "json",
    status: 400,
    headers: { "request-id": "req_1" },
    body: {
      type: "error",
      error: { type: "invalid_request_error", message: "prompt is too long: 2 tokens > 1 maximum" },
      request_id: "req_1",
    },
  });
});

it.each([
  [401, "authentication_error"],
  [404, "not_found_error"],
  [413, "request_too_large"],
  [422, "invalid_request_error"],
  [429, "rate_limit_error"],
  [502, "api_error"],
  [529, "overloaded_error"],
])("calls status %d %s", (status, type) => {
  expect(anthropicDialect.error(new Rejection(status, "m"), "r").body).toMatchObject({ error: { type } });
});

it("adds stable codes and headers", () => {
  const rejection = new Rejection(429, "m", { code: "compaction_unavailable", headers: { "retry-after": "2" } });
  const reply = anthropicDialect.error(rejection, "r");
  expect(reply.body).toMatchObject({ error: { details: { error_code: "compaction_unavailable" } } });
  expect(reply.headers).toMatchObject({ "retry-after": "2" });
});

it("says an error inside a stream with its event line", () => {
  expect(anthropicDialect.streamError(new Rejection(529, "Overloaded"))).toEqual([
    { event: "error", data: '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}' },
  ]);
});
