import { expect, it } from "vitest";
import { Rejection } from "../core/rejection.ts";
import { geminiDialect } from "./errors.ts";

it("words a refusal with code, message and status", () => {
  expect(geminiDialect.error(new Rejection(400, "m"), "r")).toEqual({
    kind: "json",
    status: 400,
    headers: {},
    body: { error: { code: 400, message: "m", status: "INVALID_ARGUMENT" } },
  });
});

it.each([
  [401, "UNAUTHENTICATED"],
  [403, "PERMISSION_DENIED"],
  [404, "NOT_FOUND"],
  [413, "INVALID_ARGUMENT"],
  [429, "RESOURCE_EXHAUSTED"],
  [500, "INTERNAL"],
  [503, "UNAVAILABLE"],
  [504, "DEADLINE_EXCEEDED"],
  [529, "UNAVAILABLE"],
])("calls status %d %s", (code, status) => {
  expect(geminiDialect.error(new Rejection(code, "m"), "r").body).toMatchObject({ error: { code, status } });
});

it("says when to try again", () => {
  expect(geminiDialect.error(new Rejection(429, "m"), "r").body).toEqual({
    error: {
      code: 429,
      message: "Resource has been exhausted (e.g. check quota).",
      status: "RESOURCE_EXHAUSTED",
      details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "1s" }],
    },
  });
});

it("adds details and headers, and stands in a list where a stream is one", () => {
  const rejection = new Rejection(400, "m", { more: [{ a: 1 }], headers: { x: "y" }, isInList: true });
  const reply = geminiDialect.error(rejection, "r");
  expect(reply.headers).toEqual({ x: "y" });
  expect(reply.body).toEqual([{ error: { code: 400, message: "m", status: "INVALID_ARGUMENT", details: [{ a: 1 }] } }]);
});

it("ends a stream with the same object", () => {
  expect(geminiDialect.streamError(new Rejection(503, "m"))).toEqual([
    {
      data: '{"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}',
    },
  ]);
});
