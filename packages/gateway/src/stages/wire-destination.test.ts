import { wireDestination } from "@longhaul/fit";
import { afterAll, describe, expect, it } from "vitest";
import { makeSnapshot } from "../testing/snapshot.ts";
import { resolve } from "./resolve.ts";

const snapshot = makeSnapshot({
  upstreams: {
    claude: { kind: "anthropic" },
    openai: { kind: "openai" },
    router: { kind: "openrouter" },
    local: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:8/v1" },
  },
  routes: [
    { match: "router/*", upstream: "router" },
    { match: "local/*", upstream: "local" },
    { match: "claude-alias", upstream: "claude", model: "claude-opus-4-6" },
    { match: "claude-*", upstream: "claude" },
    { match: "gpt-*", upstream: "openai" },
  ],
});
afterAll(() => snapshot.close());

describe("wireDestination", () => {
  const destinationFor = (model: string) =>
    wireDestination(resolve({ key: undefined, model, wire: "openai-chat" }, snapshot)[0]!);

  it("reads from the catalog what a model accepts and rejects", () => {
    expect(destinationFor("claude-opus-4-8")).toMatchObject({
      model: "claude-opus-4-8",
      vendor: "anthropic",
      rejects: expect.arrayContaining(["temperature", "topP", "topK"]),
      reasoning: { modes: expect.arrayContaining(["adaptive"]) },
      prefill: false,
    });
    expect(destinationFor("claude-sonnet-4-5")).toMatchObject({
      reasoning: { modes: expect.arrayContaining(["budget"]) },
    });
    expect(destinationFor("gpt-4o")).toMatchObject({ vendor: "openai", rejects: [], reasoning: { modes: ["off"] } });
  });

  it("knows which models accept budgets in addition to levels, and which no levels", () => {
    expect(destinationFor("claude-opus-4-6").reasoning).toEqual({
      modes: ["off", "adaptive", "effort", "budget"],
      efforts: ["none", "low", "medium", "high", "max"],
      minBudgetTokens: 1_024,
    });
    expect(destinationFor("claude-sonnet-4-5").reasoning).toEqual({
      modes: ["off", "budget"],
      efforts: [],
      minBudgetTokens: 1_024,
    });
    expect(destinationFor("local/claude-sonnet-4-5").reasoning?.modes).toEqual(["off", "effort"]);
  });

  it("knows the models that reject system messages within a conversation", () => {
    expect(destinationFor("claude-sonnet-4-5").systemMessages).toBe(false);
    expect(destinationFor("claude-opus-4-8").systemMessages).toBeUndefined();
    expect(destinationFor("gpt-4o").systemMessages).toBeUndefined();
  });

  it("knows the dialects of chat", () => {
    expect(destinationFor("router/anthropic/claude-sonnet-4.5")).toMatchObject({
      reasoningField: "reasoning",
      thinkingField: "reasoning_details",
    });
    expect(destinationFor("router/anthropic/claude-sonnet-4.5").demandsThinking).toBe("in-loop");
    expect(destinationFor("local/deepseek-reasoner").demandsThinking).toBe("always");
    expect(destinationFor("local/any").demandsThinking).toBeUndefined();
    expect(destinationFor("local/any")).toMatchObject({
      maxTokensField: "max_tokens",
      thinkingField: "reasoning_content",
    });
  });
});
