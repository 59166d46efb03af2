import { describe, expect, it } from "vitest";
import { configSchema } from "./config.ts";

describe("the configuration's schema", () => {
  it("refuses a route to an upstream that does not exist", () => {
    const { error } = configSchema.safeParse({ routes: [{ match: "*", upstream: "x" }] });
    expect(error?.issues).toMatchObject([
      { path: ["routes", 0, "upstream"], message: 'there is no upstream "x" (configured: none)' },
    ]);
  });
});

it("refuses a model's name at an upstream that does not exist", () => {
  const upstreams = { a: { kind: "simulator" } };
  const { error } = configSchema.safeParse({ upstreams, routes: [{ match: "*", upstream: "a", models: { b: "m" } }] });
  expect(error?.issues).toMatchObject([
    { path: ["routes", 0, "models"], message: 'there is no upstream "b" (configured: a)' },
  ]);
});
