import { expect, it } from "vitest";
import { makeWorld } from "../core/world.ts";
import { makeCall } from "../testing/make.ts";
import { authenticate, readBody, requireModel } from "./door.ts";

const world = makeWorld({});

it("wants a key", () => {
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

it("wants an object", () => {
  expect(readBody(makeCall({ body: { a: 1 } }))).toEqual({ a: 1 });
  expect(() => readBody(makeCall({ body: undefined }))).toThrow(/^We could not parse the JSON body of your request\./);
});

it("wants a model that it has", () => {
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
