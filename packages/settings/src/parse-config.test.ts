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

function faultOf(value: unknown, environment: Record<string, string> = {}): string {
  try {
    parseConfig(value, environment);
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
    expect(fault).toContain("server.prot: there is no such setting");
    expect(fault).toContain('upstreams."bad name":');
    expect(fault).toContain("upstreams.x.kind:");
    expect(fault).toContain("upstreams.y.apiKey: the variable NO_KEY is not set");
    expect(fault).toContain("routes.0.match:");
    expect(fault).toContain("colour: there is no such setting");
  });

  it("names a route's upstream that does not exist, and those that do", () => {
    expect(faultOf({ upstreams: { a: { kind: "openai" } }, routes: [{ match: "*", upstream: ["a", "b"] }] })).toContain(
      'routes.0.upstream: there is no upstream "b" (configured: a)',
    );
  });

  it.each(["localhost:8000/v1", "127.0.0.1:8000/v1", "ftp://127.0.0.1/v1", "/v1", ""])(
    "refuses the address %j and says how one begins",
    (baseUrl) => {
      expect(faultOf({ upstreams: { a: { kind: "openai-compatible", baseUrl } } })).toContain(
        "upstreams.a.baseUrl: an address that begins with http:// or https:// is needed",
      );
    },
  );

  it("takes a file that names its schema", () => {
    expect(parseConfig({ $schema: "./longhaul.schema.json", server: { port: 1 } }, {}).server.port).toBe(1);
  });

  it("takes an empty file for all defaults", () => {
    expect(parseConfig(null, {})).toMatchObject({ upstreams: {}, routes: [], server: { port: 4141 } });
  });

  it("tells of a variable that is not set once, whatever is wanted in its place", () => {
    expect(
      faultOf({ server: { maxRequests: "${MOST}" }, upstreams: { a: { kind: "openai", apiKey: "${KEY}" } } }),
    ).toBe(
      [
        "the configuration has 2 faults:",
        "  - server.maxRequests: the variable MOST is not set; set it or write ${MOST:-default}",
        "  - upstreams.a.apiKey: the variable KEY is not set; set it or write ${KEY:-default}",
      ].join("\n"),
    );
  });

  it("takes numbers and yes or no from variables, and texts that look like them as texts", () => {
    const { server, log, upstreams, profiles } = parseConfig(
      {
        server: { port: "${PORT}", bodyLimitMiB: "${LIMIT:-0.5}", drainSeconds: "${DRAIN:-1}0", hosts: ["${NAME}"] },
        log: { tokens: "${COUNT:-true}" },
        profiles: { p: { context: { threshold: "${AT:-70}" } } },
        upstreams: { a: { kind: "openai", apiKey: "${NAME}" } },
      },
      { PORT: "4242", NAME: "12345" },
    );
    expect(server).toMatchObject({ port: 4242, bodyLimitMiB: 0.5, drainSeconds: 10, hosts: ["12345"] });
    expect([log.tokens, upstreams.a?.apiKey, profiles.p?.context?.threshold]).toEqual([true, "12345", 70]);
  });

  it.each([
    [{ server: { port: "${PORT}" } }, { PORT: "http" }, "server.port: give a whole number from 0 to 65535"],
    [{ server: { port: "${PORT}" } }, { PORT: "70000" }, "server.port: give a whole number from 0 to 65535"],
    ["text", {}, "the file: Invalid input: expected object"],
    [{ version: 3 }, {}, "version: this Longhaul reads versions 1 to 2"],
    [{ server: { port: "4141" } }, {}, "server.port: give a whole number from 0 to 65535"],
  ])("refuses %o with %o", (value, environment, fault) => {
    expect(faultOf(value, environment)).toContain(`the configuration has 1 fault:\n  - ${fault}`);
  });
});
