import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { configJsonSchema } from "./config-json-schema.ts";

const shipped = JSON.parse(readFileSync(new URL("../../longhaul.schema.json", import.meta.url), "utf8"));

describe("the shipped schema", () => {
  it("is up to date with the configuration (`npm run schema`)", () => {
    expect(shipped).toEqual(configJsonSchema());
  });

  const schema = z.fromJSONSchema(shipped);

  it.each([
    ["nothing", {}],
    ["its own name", { $schema: "x.json", routes: [] }],
    [
      "what the README shows",
      {
        upstreams: {
          claude: { kind: "anthropic", apiKey: "${ANTHROPIC_API_KEY}" },
          local: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:8000/v1", window: 32768 },
        },
        routes: [{ match: "claude-*haiku*", upstream: ["local", "claude"], model: "small-model" }],
      },
    ],
    [
      "variables in any place",
      {
        server: { port: "${PORT:-4141}", hosts: ["${NAME}"] },
        log: { tokens: "${COUNT}", level: "${LEVEL}" },
        upstreams: { a: { kind: "${KIND}", baseUrl: "${URL}", timeouts: { idleSeconds: "${IDLE:-5}" } } },
      },
    ],
  ])("accepts %s", (_, file) => {
    expect(schema.safeParse(file).error?.issues).toBeUndefined();
  });

  it.each([
    ["a key that is not known", { sever: {} }],
    ["a number that is a text", { server: { port: "4141" } }],
    ["a number out of range", { server: { port: 70_000 } }],
    ["a kind that is not known", { upstreams: { a: { kind: "claude" } } }],
    ["an upstream without a kind", { upstreams: { a: {} } }],
    ["an address that is none", { upstreams: { a: { kind: "openai", baseUrl: "here" } } }],
  ])("rejects %s", (_, file) => {
    expect(schema.safeParse(file).success).toBe(false);
  });
});
