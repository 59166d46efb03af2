import OpenAI, { AuthenticationError, NotFoundError } from "openai";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Rejection } from "../core/api.ts";
import { makeWorld } from "../core/world.ts";
import { openSimulator, type Simulator } from "../simulator.ts";
import { makeCall } from "../testing/make.ts";
import { authenticate, openaiDialect, openaiError, readBody, requireModel } from "./api.ts";

const world = makeWorld({});

it("requires a key", () => {
  const ask = (authorization: string, keys: string[] = []) =>
    authenticate(makeCall({ headers: { authorization } }), makeWorld({ keys }));
  expect(ask("Bearer sk-1")).toBe("sk-1");
  expect(() => ask("")).toThrow(
    expect.objectContaining({ status: 401, message: expect.stringMatching(/^You didn't provide an API key\./) }),
  );
  expect(() => ask("Bearer wrong", ["right"])).toThrow(
    expect.objectContaining({
      status: 401,
      details: { code: "invalid_api_key" },
      message: expect.stringMatching(/^Incorrect API key provided: wro/),
    }),
  );
});

it("requires an object", () => {
  expect(readBody(makeCall({ body: { a: 1 } }))).toEqual({ a: 1 });
  expect(() => readBody(makeCall({ body: undefined }))).toThrow(/^We could not parse the JSON body of your request\./);
});

it("requires a known model", () => {
  expect(requireModel("gpt-4o", world).id).toBe("gpt-4o");
  expect(() => requireModel(undefined, world)).toThrow("you must provide a model parameter");
  expect(() => requireModel("gpt-nope", world)).toThrow(
    expect.objectContaining({
      status: 404,
      message: "The model `gpt-nope` does not exist or you do not have access to it.",
      details: { code: "model_not_found" },
    }),
  );
});

let simulator: Simulator;
beforeAll(async () => {
  simulator = await openSimulator();
});
afterAll(() => simulator.close());

it("lists models for OpenAI's SDK", async () => {
  const client = new OpenAI({ baseURL: `${simulator.url}/v1`, apiKey: "key", maxRetries: 0 });
  const ids: string[] = [];
  for await (const { id } of client.models.list()) ids.push(id);
  expect(ids).toContain("gpt-4o");
  expect(await client.models.retrieve("gpt-4o")).toMatchObject({ id: "gpt-4o", object: "model" });
  await expect(client.models.retrieve("gpt-nope")).rejects.toThrow(NotFoundError);
});

it("requires a key for models", async () => {
  const client = new OpenAI({
    baseURL: `${simulator.url}/v1`,
    apiKey: "key",
    maxRetries: 0,
    defaultHeaders: { authorization: null },
  });
  await expect(client.models.retrieve("gpt-4o")).rejects.toThrow(AuthenticationError);
});

it("returns errors with message, type, param and code", () => {
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
])("maps status %d to its type", (status, type, code) => {
  expect(openaiError(new Rejection(status, "m"))).toMatchObject({ type, code });
});

it("sends an error inside a chat stream and ends it", () => {
  const [error, done] = openaiDialect.streamError(new Rejection(500, "m"));
  expect([JSON.parse(error?.data ?? ""), done]).toEqual([
    { error: { message: "m", type: "server_error", param: null, code: null } },
    { data: "[DONE]" },
  ]);
});
