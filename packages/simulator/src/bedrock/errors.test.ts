import { expect, it } from "vitest";
import { Rejection } from "../core/rejection.ts";
import { bedrockDialect } from "./errors.ts";

it("says the type in a header and the message in the body", () => {
  expect(bedrockDialect.error(new Rejection(400, "max_tokens: Field required"), "req_1")).toEqual({
    kind: "json",
    status: 400,
    headers: { "x-amzn-requestid": "req_1", "x-amzn-errortype": "ValidationException" },
    body: { message: "max_tokens: Field required" },
  });
});

it("has its own words for a prompt that is too long and for too many requests", () => {
  const bodyOf = (rejection: Rejection) => bedrockDialect.error(rejection, "r").body;
  expect(bodyOf(new Rejection(400, "prompt is too long: 2 tokens > 1 maximum"))).toEqual({
    message: "Input is too long for requested model.",
  });
  expect(bodyOf(new Rejection(429, "x"))).toEqual({ message: "Too many tokens, please wait before trying again." });
});

it.each([
  [403, undefined, 403, "AccessDeniedException"],
  [403, "InvalidSignatureException", 403, "InvalidSignatureException"],
  [404, undefined, 404, "ResourceNotFoundException"],
  [413, undefined, 400, "ValidationException"],
  [429, undefined, 429, "ThrottlingException"],
  [500, undefined, 500, "InternalServerException"],
  [503, undefined, 503, "ServiceUnavailableException"],
  [422, undefined, 422, "ValidationException"],
  [529, undefined, 529, "InternalServerException"],
])("knows the type of status %d (%s)", (status, type, sent, header) => {
  const rejection = new Rejection(status, "m", type === undefined ? {} : { type });
  expect(bedrockDialect.error(rejection, "r")).toMatchObject({ status: sent, headers: { "x-amzn-errortype": header } });
});

it("says an error inside a stream as an exception", () => {
  expect(bedrockDialect.streamError(new Rejection(503, "m"))).toEqual([
    { event: "serviceUnavailableException", data: '{"message":"m"}' },
  ]);
});
