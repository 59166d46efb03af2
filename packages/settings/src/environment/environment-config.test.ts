import { describe, expect, it } from "vitest";
import { parseConfig } from "../layers/layer-settings.ts";
import { environmentConfig, matchesModel } from "./environment-config.ts";

const GOOGLE = {
  GOOGLE_APPLICATION_CREDENTIALS: "/c.json",
  GOOGLE_CLOUD_PROJECT: "p",
  GOOGLE_CLOUD_LOCATION: "global",
};

describe("environmentConfig", () => {
  it("routes by credential if no key is set, and otherwise to a simulator that says so", () => {
    expect(environmentConfig({ OPENAI_API_KEY: "", OPENAI_BASE_URL: "http://127.0.0.1:1/v1" })).toEqual({
      upstreams: {
        anthropic: { kind: "anthropic" },
        openai: { kind: "openai", baseUrl: "http://127.0.0.1:1/v1" },
        gemini: { kind: "gemini" },
        simulator: { kind: "simulator", saysSimulated: true },
      },
      routes: [
        { match: "*", credential: "anthropic", upstream: "anthropic" },
        { match: "*", credential: "openai", upstream: "openai" },
        { match: "*", credential: "gemini", upstream: "gemini" },
        { match: "*", upstream: "simulator" },
      ],
    });
  });

  it.each([
    [{ ANTHROPIC_BASE_URL: "http://127.0.0.1:4141" }, undefined],
    [{ ANTHROPIC_BASE_URL: "http://localhost:4200/", PORT: "4200" }, undefined],
    [{ ANTHROPIC_BASE_URL: "http://[::1]:4141" }, undefined],
    [{ ANTHROPIC_BASE_URL: "http://127.0.0.1:4142" }, "http://127.0.0.1:4142"],
    [{ ANTHROPIC_BASE_URL: "https://gateway.example.com:4141" }, "https://gateway.example.com:4141"],
  ])("ignores a base URL that is the gateway's own: %j", (environment, baseUrl) => {
    expect(parseConfig(environmentConfig(environment), {}).upstreams.anthropic?.baseUrl).toBe(baseUrl);
  });

  it("makes an upstream with routes for every vendor whose key is set", () => {
    const config = parseConfig(environmentConfig({ ANTHROPIC_API_KEY: "a", OPENROUTER_API_KEY: "r" }), {});
    expect(Object.entries(config.upstreams).map(([name, { kind, apiKey }]) => [name, kind, apiKey])).toEqual([
      ["anthropic", "anthropic", "a"],
      ["openrouter", "openrouter", "r"],
    ]);
    expect(config.routes).toEqual([
      { match: "claude-*", upstream: ["anthropic"] },
      { match: "anthropic/*", upstream: ["anthropic"] },
      { match: "*", upstream: ["openrouter"] },
    ]);
  });

  it("sends requests with another vendor's own credential, for its models, to that vendor", () => {
    const { upstreams, routes } = parseConfig(environmentConfig({ OPENAI_API_KEY: "o" }), {});
    expect(upstreams.anthropic).not.toHaveProperty("apiKey");
    expect(routes.filter(({ credential }) => credential === "anthropic")).toEqual([
      { match: "claude-*", credential: "anthropic", upstream: "anthropic" },
      { match: "anthropic/*", credential: "anthropic", upstream: "anthropic" },
    ]);
    const first = (model: string) => routes.find(({ match }) => matchesModel(match, model));
    expect(first("gemini-2.5-pro")).toMatchObject({ credential: "gemini", upstream: "gemini" });
    expect(first("gpt-5")).toEqual({ match: "gpt-*", upstream: ["openai"] });
    expect(routes.at(-1)).toEqual({ match: "*", upstream: ["openai"] });
  });

  it("leaves other vendors' models to a server that may serve any", () => {
    const environment = { OPENAI_API_KEY: "o", OPENAI_BASE_URL: "http://127.0.0.1:1/v1" };
    expect(Object.keys(parseConfig(environmentConfig(environment), {}).upstreams)).toEqual(["openai"]);
  });

  it("fails over from one vendor of a model to the next", () => {
    const aws = { AWS_ACCESS_KEY_ID: "i", AWS_SECRET_ACCESS_KEY: "s", AWS_REGION: "eu-west-1" };
    const config = parseConfig(environmentConfig({ ANTHROPIC_API_KEY: "a", ...aws }), {});
    expect(config.routes.find(({ match }) => match === "claude-*")?.upstream).toEqual(["anthropic", "bedrock"]);
    expect(config.upstreams.bedrock).toMatchObject({ accessKeyId: "i", secretAccessKey: "s", region: "eu-west-1" });
  });

  it("routes opus, sonnet and haiku to the models in the environment, before all other routes", () => {
    const config = parseConfig(
      environmentConfig({
        OPENAI_API_KEY: "o",
        OPENAI_BASE_URL: "http://127.0.0.1:1/v1",
        BIG_MODEL: "gpt-5",
        SMALL_MODEL: "gpt-4o-mini",
      }),
      {},
    );
    expect(config.upstreams.openai?.baseUrl).toBe("http://127.0.0.1:1/v1");
    expect(config.routes.slice(0, 2)).toEqual([
      { match: "claude-*opus*", upstream: "openai", model: "gpt-5" },
      { match: "claude-*haiku*", upstream: "openai", model: "gpt-4o-mini" },
    ]);
    expect(config.routes.at(-1)).toEqual({ match: "*", upstream: ["openai"] });
  });

  it.each([
    ["vertex", GOOGLE],
    ["gemini", { GEMINI_API_KEY: "g" }],
  ])("configures %s", (name, environment) => {
    expect(Object.keys(parseConfig(environmentConfig(environment), {}).upstreams)[0]).toBe(name);
  });
});

it("ignores a vendor if one of its variables is missing", () => {
  const { GOOGLE_CLOUD_LOCATION: _, ...google } = GOOGLE;
  const aws = { AWS_ACCESS_KEY_ID: "i", AWS_SECRET_ACCESS_KEY: "s" };
  expect(environmentConfig({ ...google, ...aws })).toEqual(environmentConfig({}));
});

describe("matchesModel", () => {
  it.each([
    ["claude-*haiku*", "claude-3-5-haiku-20241022", true],
    ["claude-*haiku*", "claude-sonnet-4-5", false],
    ["GPT-4o", "gpt-4o", true],
    ["gpt-4o", "gpt-4o-mini", false],
    ["a.b", "axb", false],
    ["*", "", true],
  ])("matches %s against %s: %s", (pattern, model, expected) => {
    expect(matchesModel(pattern, model)).toBe(expected);
  });
});
