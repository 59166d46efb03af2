import { expect, it } from "vitest";
import { importRouter, isRouter } from "./import-router.ts";

const CONFIG = {
  LOG: true,
  HOST: "0.0.0.0",
  PORT: 3456,
  LOG_LEVEL: "debug",
  APIKEY: "",
  API_TIMEOUT_MS: "600000",
  PROXY_URL: "http://127.0.0.1:7890",
  odd: 1,
  Providers: [
    {
      name: "openrouter",
      api_base_url: "https://openrouter.ai/api/v1/chat/completions",
      api_key: "$OPENROUTER_KEY",
      models: ["a/b", "c/d"],
      transformer: { use: ["openrouter"] },
    },
    { name: "ollama", api_base_url: "http://localhost:11434/v1/chat/completions", api_key: "ollama", models: ["q:7b"] },
    { api_key: "lost" },
  ],
  Router: { default: "openrouter,a/b", background: "ollama,q:7b", think: "openrouter,c/d", webSearch: "" },
};

it("converts providers and routes", () => {
  const { config, variables, notes } = importRouter(CONFIG);
  expect(config).toEqual({
    version: 2,
    server: { port: 3_456 },
    log: { level: "debug" },
    upstreams: {
      openrouter: { kind: "openrouter", apiKey: "${OPENROUTER_KEY}", timeouts: { firstByteSeconds: 600 } },
      ollama: {
        kind: "openai-compatible",
        baseUrl: "http://localhost:11434/v1",
        timeouts: { firstByteSeconds: 600 },
      },
    },
    routes: [
      { match: "openrouter,a/b", upstream: "openrouter", model: "a/b" },
      { match: "openrouter,c/d", upstream: "openrouter", model: "c/d" },
      { match: "ollama,q:7b", upstream: "ollama", model: "q:7b" },
      { match: "claude-*haiku*", upstream: "ollama", model: "q:7b" },
      { match: "*", upstream: "openrouter", model: "a/b" },
    ],
  });
  expect(variables).toEqual(["OPENROUTER_KEY"]);
  expect(notes.map((note) => note.split(":")[0])).toEqual([
    "Providers.openrouter.transformer",
    "Providers",
    "Router.think",
    "HOST",
    "LOG",
    "PROXY_URL",
    "odd",
  ]);
});

it("notes a route to an unknown provider", () => {
  expect(importRouter({ Providers: [], Router: { default: "gone,x" } }).notes).toEqual([
    'Router.default: Providers has no "gone"',
  ]);
});

it("recognizes a configuration of claude-code-router", () => {
  expect([isRouter(CONFIG), isRouter({ Providers: [] }), isRouter({})]).toEqual([true, false, false]);
});
