import { expect, it } from "vitest";
import { Rejection } from "../core/rejection.ts";
import { openrouterDialect } from "./errors.ts";

it("repeats the status as code and has its own kinds", () => {
  expect(openrouterDialect.error(new Rejection(400, "m", { code: "context_length_exceeded" }), "r").body).toEqual({
    error: { message: "m", code: 400, metadata: { error_type: "context_length_exceeded" } },
  });
  expect(openrouterDialect.error(new Rejection(529, "m"), "r").body).toMatchObject({
    error: { metadata: { error_type: "provider_overloaded" } },
  });
  expect(openrouterDialect.error(new Rejection(418, "m"), "r").body).toMatchObject({
    error: { metadata: { error_type: "unknown" } },
  });
});

it("shows what a provider said", () => {
  const rejection = new Rejection(400, "Provider returned error", { type: '{"a":1}' });
  expect(openrouterDialect.error(rejection, "r").body).toMatchObject({
    error: { metadata: { raw: { a: 1 }, provider_name: "Anthropic" } },
  });
});

it("says an error inside a stream in a chunk whose choice ended with it", () => {
  const [event] = openrouterDialect.streamError(new Rejection(502, "m"));
  expect(JSON.parse(event?.data ?? "")).toMatchObject({
    error: { code: 502, message: "m" },
    choices: [{ finish_reason: "error", delta: { content: "" } }],
  });
});
