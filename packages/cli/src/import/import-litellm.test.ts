import { expect, it } from "vitest";
import { parse } from "yaml";
import { importLitellm, isLitellm } from "./import-litellm.ts";

const CONFIG = parse(`
model_list:
  - model_name: fast
    litellm_params: { model: openai/gpt-4o-mini, api_key: os.environ/OPENAI_API_KEY, rpm: 10 }
  - model_name: fast
    litellm_params: { model: openai/gpt-4.1-mini, api_key: os.environ/OPENAI_API_KEY }
  - model_name: claude
    litellm_params: { model: anthropic/claude-sonnet-4-5, api_key: sk-ant-1 }
  - model_name: local
    litellm_params: { model: openai/llama, api_base: "http://10.0.0.1:8000/v1", api_key: none, timeout: 30 }
  - model_name: "groq/*"
    litellm_params: { model: groq/*, api_key: os.environ/GROQ }
  - model_name: rock
    litellm_params: { model: bedrock/anthropic.claude-v2, aws_region_name: eu-west-1 }
  - model_name: sky
    litellm_params: { model: vertex_ai/gemini-2.5-pro }
  - model_name: blue
    litellm_params: { model: azure/gpt-4o, api_base: "https://x.openai.azure.com" }
router_settings: { fallbacks: [{ claude: [fast, gone] }, { gone: [fast] }], routing_strategy: simple-shuffle }
litellm_settings: { num_retries: 3, drop_params: true, cache: true }
general_settings: { master_key: sk-1234 }
odd: 1
`);

it("converts deployments, groups and fallbacks", () => {
  const { config, variables, notes } = importLitellm(CONFIG);
  expect(config.upstreams).toEqual({
    openai: { kind: "openai", apiKey: "${OPENAI_API_KEY}", maxRetries: 3 },
    anthropic: { kind: "anthropic", apiKey: "${ANTHROPIC_API_KEY}", maxRetries: 3 },
    "openai-2": {
      kind: "openai-compatible",
      baseUrl: "http://10.0.0.1:8000/v1",
      timeouts: { firstByteSeconds: 30 },
      maxRetries: 3,
    },
    groq: { kind: "openai-compatible", baseUrl: "https://api.groq.com/openai/v1", apiKey: "${GROQ}", maxRetries: 3 },
    bedrock: {
      kind: "bedrock",
      accessKeyId: "${AWS_ACCESS_KEY_ID}",
      secretAccessKey: "${AWS_SECRET_ACCESS_KEY}",
      region: "eu-west-1",
      maxRetries: 3,
    },
    vertex_ai: {
      kind: "vertex",
      credentialsFile: "service-account.json",
      project: "my-project",
      region: "global",
      maxRetries: 3,
    },
  });
  expect(config.routes).toEqual([
    { match: "fast", upstream: "openai", model: "gpt-4o-mini" },
    {
      match: "claude",
      upstream: ["anthropic", "openai"],
      models: { anthropic: "claude-sonnet-4-5", openai: "gpt-4o-mini" },
    },
    { match: "local", upstream: "openai-2", model: "llama" },
    { match: "rock", upstream: "bedrock", model: "anthropic.claude-v2" },
    { match: "sky", upstream: "vertex_ai", model: "gemini-2.5-pro" },
    { match: "groq/*", upstream: "groq" },
  ]);
  expect(variables).toContain("ANTHROPIC_API_KEY");
  const subjects = notes.map((note) => note.split(":")[0]);
  expect(subjects).toEqual([
    "model_list fast.rpm",
    "model_list groq/*",
    "vertex_ai",
    "model_list blue",
    "fallbacks gone",
    "model_list fast",
    "model_list claude",
    "litellm_settings.cache",
    "router_settings.routing_strategy",
    "general_settings.master_key",
    "odd",
  ]);
});

it("puts names before patterns, as LiteLLM does", () => {
  const names = ["*", "claude-*", "claude-fast", "claude-fast-*"];
  const model_list = names.map((model_name) => ({ model_name, litellm_params: { model: "anthropic/claude-x" } }));
  expect(importLitellm({ model_list }).config.routes).toMatchObject(
    ["claude-fast", "claude-fast-*", "claude-*", "*"].map((match) => ({ match })),
  );
});

it("refers to the variables that LiteLLM reads by default", () => {
  const params = [{ model: "gpt-4o" }, { model: "gpt-4o", api_key: "sk-1", api_base: "http://10.0.0.1/v1" }];
  const model_list = params.map((litellm_params, index) => ({ model_name: `m${index}`, litellm_params }));
  expect(importLitellm({ model_list: model_list.reverse() }).config.upstreams).toMatchObject({
    openai: { kind: "openai-compatible", apiKey: "${OPENAI_API_KEY_2}" },
    "openai-2": { kind: "openai", apiKey: "${OPENAI_API_KEY}" },
  });
});

it("converts the location of Vertex", () => {
  const litellm_params = {
    model: "vertex_ai/claude-sonnet-4-5",
    vertex_project: "p",
    vertex_location: "europe-west1",
    vertex_credentials: "/keys/sa.json",
  };
  const { config, notes } = importLitellm({ model_list: [{ model_name: "v", litellm_params }] });
  expect([config.upstreams, notes]).toEqual([
    { vertex_ai: { kind: "vertex", credentialsFile: "/keys/sa.json", project: "p", region: "europe-west1" } },
    [],
  ]);
});

it("recognizes a LiteLLM configuration", () => {
  expect([isLitellm(CONFIG), isLitellm({})]).toEqual([true, false]);
});
