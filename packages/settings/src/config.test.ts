import { describe, expect, it } from "vitest";
import { z } from "zod";
import { configSchema } from "./config.ts";

describe("the configuration's schema", () => {
  it("can be shipped as JSON Schema with a help text for every setting", () => {
    expect(findBare(z.toJSONSchema(configSchema, { io: "input" }), "")).toEqual([]);
  });

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

/** Settings without a help text, by their path. */
function findBare(schema: z.core.JSONSchema.BaseSchema, path: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => {
    if (typeof inner === "boolean") return [];
    const here = inner.description === undefined ? [`${path}.${key}`] : [];
    const item = typeof inner.additionalProperties === "object" ? inner.additionalProperties : inner.items;
    const below = typeof item === "object" && !Array.isArray(item) ? findBare(item, `${path}.${key}.*`) : [];
    return [...here, ...findBare(inner, `${path}.${key}`), ...below];
  });
}
