import { describe, expect, it } from "vitest";
import { parseConfig } from "./parse-config.ts";

const file = {
  server: { host: "127.0.0.1", port: 4141 },
  upstreams: {
    claude: { kind: "anthropic", apiKey: "${ANTHROPIC_API_KEY}" },
    local: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:8000/v1", window: 32768 },
  },
  routes: [
    { match: "claude-*haiku*", upstream: ["local", "claude"], model: "small" },
    { match: "claude-*", upstream: "claude" },
  ],
};

function faultOf(value: unknown): string {
  try {
    parseConfig(value, {});
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
  return "";
}

describe("parseConfig", () => {
  it("reads a file and fills in variables and defaults", () => {
    const config = parseConfig(file, { ANTHROPIC_API_KEY: "sk" });
    expect(config.upstreams.claude).toMatchObject({
      kind: "anthropic",
      apiKey: "sk",
      maxRetries: 2,
      timeouts: { connectSeconds: 10 },
    });
    expect(config.server.bodyLimitMiB).toBe(64);
    expect(config.routes[1]).toEqual({ match: "claude-*", upstream: "claude" });
  });

  it("names every bad key at once", () => {
    const fault = faultOf({
      server: { port: 70_000, prot: 1 },
      upstreams: {
        "bad name": { kind: "anthropic" },
        x: { kind: "claude" },
        y: { kind: "openai", apiKey: "${NO_KEY}" },
      },
      routes: [{ match: "", upstream: "y" }],
      colour: "red",
    });
    expect(fault).toContain("server.port:");
    expect(fault).toContain('"prot"');
    expect(fault).toContain("upstreams.bad name:");
    expect(fault).toContain("upstreams.x.kind:");
    expect(fault).toContain("upstreams.y.apiKey: the variable NO_KEY is not set");
    expect(fault).toContain("routes.0.match:");
    expect(fault).toContain('"colour"');
  });

  it("names a route's upstream that does not exist, and those that do", () => {
    expect(faultOf({ upstreams: { a: { kind: "openai" } }, routes: [{ match: "*", upstream: ["a", "b"] }] })).toContain(
      'routes.0.upstream: there is no upstream "b" (configured: a)',
    );
  });

  it("takes an empty file for all defaults", () => {
    expect(parseConfig(null, {})).toMatchObject({ upstreams: {}, routes: [], server: { port: 4141 } });
  });
});
