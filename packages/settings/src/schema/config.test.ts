import { describe, expect, it } from "vitest";
import { configSchema } from "./config.ts";

describe("the configuration's schema", () => {
  it("rejects a route to an upstream that does not exist", () => {
    const { error } = configSchema.safeParse({ routes: [{ match: "*", upstream: "x" }] });
    expect(error?.issues).toMatchObject([
      { path: ["routes", 0, "upstream"], message: 'upstream "x" does not exist (configured: none)' },
    ]);
  });
});

it("rejects a model's name at an upstream that does not exist", () => {
  const upstreams = { a: { kind: "simulator" } };
  const { error } = configSchema.safeParse({ upstreams, routes: [{ match: "*", upstream: "a", models: { b: "m" } }] });
  expect(error?.issues).toMatchObject([
    { path: ["routes", 0, "models"], message: 'upstream "b" does not exist (configured: a)' },
  ]);
});
