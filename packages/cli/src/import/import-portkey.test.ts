import { expect, it } from "vitest";
import { importPortkey, isPortkey } from "./import-portkey.ts";

it("puts targets in order, including nested ones", () => {
  const { config, notes } = importPortkey({
    strategy: { mode: "loadbalance" },
    retry: { attempts: 5 },
    request_timeout: 9_000,
    cache: { mode: "simple" },
    targets: [
      { provider: "anthropic", api_key: "k", weight: 0.7, override_params: { model: "claude-sonnet-4-5", top_k: 1 } },
      { strategy: { mode: "fallback" }, targets: [{ provider: "@groq", virtual_key: "v" }] },
      { provider: "bedrock" },
    ],
    metadata: {},
  });
  const common = { maxRetries: 5, timeouts: { firstByteSeconds: 9 } };
  expect(config).toEqual({
    version: 2,
    upstreams: {
      anthropic: { kind: "anthropic", apiKey: "${ANTHROPIC_API_KEY}", ...common },
      groq: {
        kind: "openai-compatible",
        baseUrl: "https://api.groq.com/openai/v1",
        apiKey: "${GROQ_API_KEY}",
        ...common,
      },
    },
    routes: [{ match: "*", upstream: ["anthropic", "groq"], models: { anthropic: "claude-sonnet-4-5" } }],
  });
  expect(notes.map((note) => note.split(":")[0])).toEqual([
    "strategy.mode loadbalance",
    "targets[0].override_params.top_k",
    "targets[0].weight",
    "targets[1].virtual_key",
    "targets[2]",
    "cache",
    "metadata",
  ]);
});

it("converts a single target", () => {
  const config = {
    provider: "openai",
    api_key: "k",
    custom_host: "http://10.0.0.1/v1",
    override_params: { model: "m" },
  };
  expect(importPortkey(config).config).toMatchObject({
    upstreams: { openai: { kind: "openai-compatible", baseUrl: "http://10.0.0.1/v1" } },
    routes: [{ match: "*", upstream: "openai", model: "m" }],
  });
});

it("uses the first of two models at one provider and notes the other", () => {
  const target = (model: string) => ({ provider: "openai", api_key: "k", override_params: { model } });
  const { config, notes } = importPortkey({
    strategy: { mode: "fallback" },
    targets: [target("gpt-4o"), target("gpt-4o-mini")],
  });
  expect(config).toMatchObject({ routes: [{ match: "*", upstream: "openai", model: "gpt-4o" }] });
  expect(notes).toContain('targets: "gpt-4o-mini" was left out, because a route can use openai with only one model');
});

it("accepts names in camel case", () => {
  const target = { provider: "openai", apiKey: "k", customHost: "http://10.0.0.1/v1", overrideParams: { model: "m" } };
  const { config } = importPortkey({ strategy: {}, targets: [target], requestTimeout: 2_000 });
  expect(config).toMatchObject({
    upstreams: { openai: { apiKey: "${OPENAI_API_KEY}", timeouts: { firstByteSeconds: 2 } } },
    routes: [{ match: "*", upstream: "openai", model: "m" }],
  });
  expect(isPortkey(target)).toBe(true);
});

it("notes that nothing could be converted", () => {
  expect(importPortkey({ provider: "nobody", api_key: "k" }).notes).toContain(
    "no target could be converted: add upstreams and routes",
  );
});

it("recognizes a Portkey config", () => {
  expect([isPortkey({ strategy: {}, targets: [] }), isPortkey({ provider: "x", retry: {} }), isPortkey({})]).toEqual([
    true,
    true,
    false,
  ]);
});
