import { describe, expect, it } from "vitest";
import { envValue, importEnv, isEnv } from "./import-env.ts";

describe("importEnv", () => {
  it("routes Claude's tiers to the configured vendor", () => {
    const text = [
      "# proxy",
      'OPENAI_API_KEY="sk-1"',
      "OPENAI_BASE_URL=http://localhost:1234/v1 # local",
      "ANTHROPIC_API_KEY=clients-send-this",
      "BIG_MODEL=large",
      "MIDDLE_MODEL=medium",
      "SMALL_MODEL=small",
      "HOST=127.0.0.1",
      "PORT=8082",
      "LOG_LEVEL=WARNING",
      "REQUEST_TIMEOUT=90",
      "MAX_RETRIES=0",
      "CUSTOM_HEADER_X_TEAM=blue",
      "REASONING_EFFORT=high",
      "WHATEVER=1",
      "EMPTY=",
    ].join("\n");
    expect(importEnv(text)).toEqual({
      config: {
        version: 2,
        server: { port: 8_082, host: "127.0.0.1" },
        log: { level: "warn" },
        upstreams: {
          openai: {
            kind: "openai-compatible",
            baseUrl: "http://localhost:1234/v1",
            apiKey: "${OPENAI_API_KEY}",
            timeouts: { firstByteSeconds: 90 },
            maxRetries: 0,
            headers: { "x-team": "${CUSTOM_HEADER_X_TEAM}" },
          },
        },
        routes: [
          { match: "claude-*opus*", upstream: "openai", model: "large" },
          { match: "claude-*sonnet*", upstream: "openai", model: "medium" },
          { match: "claude-*haiku*", upstream: "openai", model: "small" },
          { match: "*", upstream: "openai" },
        ],
      },
      variables: ["CUSTOM_HEADER_X_TEAM", "OPENAI_API_KEY"],
      notes: [
        "ANTHROPIC_API_KEY: clients had to send it; create an API key with `longhaul keys create <name>` instead",
        "REASONING_EFFORT: set the same variable for Longhaul, which also reads it",
        "WHATEVER: Longhaul has no such setting",
      ],
    });
  });

  it("uses the preferred provider, or the prefix of the model's name", () => {
    const text =
      "PREFERRED_PROVIDER=google\nGEMINI_API_KEY=g\nOPENAI_API_KEY=o\nBIG_MODEL=gemini-2.5-pro\nSMALL_MODEL=openai/gpt-4o-mini\nHOST=0.0.0.0\n";
    const { config, notes } = importEnv(text);
    expect(config.routes).toEqual([
      { match: "claude-*opus*", upstream: "gemini", model: "gemini-2.5-pro" },
      { match: "claude-*sonnet*", upstream: "gemini", model: "gemini-2.5-pro" },
      { match: "claude-*haiku*", upstream: "openai", model: "gpt-4o-mini" },
      { match: "*", upstream: "gemini" },
    ]);
    expect(notes.join()).toContain("HOST: to expose the gateway, create an API key");
  });

  it("keeps the vendor prefix of models at OpenRouter", () => {
    const text =
      'OPENAI_API_KEY=o\nOPENAI_BASE_URL="https://openrouter.ai/api/v1" # theirs\nBIG_MODEL="openai/gpt-5" # large\nSMALL_MODEL=google/gemini-2.5-flash\n';
    const { config } = importEnv(text);
    expect(config.upstreams).toEqual({ openai: { kind: "openrouter", apiKey: "${OPENAI_API_KEY}" } });
    expect(config.routes).toMatchObject([{ model: "openai/gpt-5" }, {}, { model: "google/gemini-2.5-flash" }, {}]);
  });

  it("adds no routes for Claude's tiers if Anthropic serves them", () => {
    const { config } = importEnv("PREFERRED_PROVIDER=anthropic\nANTHROPIC_API_KEY=a\nBIG_MODEL=ignored\n");
    expect(config.routes).toEqual([{ match: "*", upstream: "anthropic" }]);
  });

  it("notes that there is no vendor", () => {
    expect(importEnv("BIG_MODEL=x\n").notes).toContain("the file has no vendor's API key: add upstreams and routes");
  });
});

it("recognizes an .env of the proxy", () => {
  expect([isEnv("BIG_MODEL=x"), isEnv("export OPENAI_API_KEY=x"), isEnv("PATH=x"), isEnv('{"a": 1}')]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

describe("envValue", () => {
  it.each([
    ["plain", "plain"],
    [" spaced \t", "spaced"],
    ["value # why", "value"],
    ["value#part", "value#part"],
    ['"in quotes # no comment" # why', "in quotes # no comment"],
    ["'single'", "single"],
    ['"open', '"open'],
    ["", ""],
  ])("parses %j", (written, value) => {
    expect(envValue(written)).toBe(value);
  });
});
