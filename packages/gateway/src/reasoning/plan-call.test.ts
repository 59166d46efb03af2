import type { Request } from "@longhaul/conversation";
import { decode } from "@longhaul/fit";
import { afterAll, describe, expect, it } from "vitest";
import { findEndpoint } from "../http/endpoints.ts";
import { resolve } from "../stages/resolve.ts";
import { makeCaller } from "../testing/caller.ts";
import { makeSnapshot } from "../testing/snapshot.ts";
import { planCall } from "./plan-call.ts";

const snapshot = makeSnapshot({
  upstreams: {
    claude: { kind: "anthropic" },
    router: { kind: "openrouter" },
    openai: { kind: "openai" },
    gemini: { kind: "gemini" },
    local: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:8/v1" },
  },
  routes: [
    { match: "openrouter/*", upstream: "router" },
    { match: "quiet", upstream: "claude", model: "claude-opus-4-7", reasoning: { effort: "high", exclude: true } },
    { match: "deep", upstream: "claude", model: "claude-opus-4-7:high" },
    { match: "hidden", upstream: "claude", model: "claude-sonnet-4-5", reasoning: { exclude: true } },
    { match: "silent", upstream: "local", model: "deepseek-v4-pro", reasoning: { exclude: true } },
    { match: "gpt-*", upstream: "openai" },
    { match: "o4-*", upstream: "openai" },
    { match: "gemini-*", upstream: "gemini" },
    { match: "*", upstream: "claude" },
  ],
});
afterAll(() => snapshot.close());

function plan(model: string, fields: object = {}, path = "/v1/messages") {
  const body = Buffer.from(
    JSON.stringify({ model, max_tokens: 2_000, messages: [{ role: "user", content: "Hi" }], ...fields }),
  );
  const endpoint = findEndpoint("POST", path, {});
  const call = decode({ id: "lh_1", endpoint: endpoint!, body, headers: {}, query: "", caller: makeCaller() });
  const [destination] = resolve({ model, wire: call.endpoint.wire }, snapshot);
  return { call, destination: destination!, planned: planCall(call, destination!, putBack) };
}

const putBack = (request: Request) => request;
const CHAT = "/v1/chat/completions";
const ROUTED = "openrouter/openai/gpt-5";
const tools = [{ type: "function", function: { name: "read", parameters: { type: "object" } } }];

describe("planCall", () => {
  it("leaves a call alone about whose thinking only the client has a say", () => {
    const { call, destination, planned } = plan("claude-opus-4-7", { thinking: { type: "adaptive" } });
    expect(planned).toEqual({ call, destination, warnings: [], isExcluded: false });
    expect(planned.call).toBe(call);
  });

  it("changes what the request says, and how long the reply may be", () => {
    const { planned } = plan("claude-sonnet-4-5:4k");
    const reasoning = { mode: "budget", budgetTokens: 4_096 };
    expect(planned.call.request()).toMatchObject({ reasoning, maxOutputTokens: 6_096 });
    expect(planned.call.wholeRequest()).toMatchObject({ reasoning, maxOutputTokens: 6_096 });
    expect(planned.call.change?.parameters(planned.call.request())).toMatchObject({ reasoning });
    expect(planned.warnings.map(({ feature }) => feature)).toEqual(["reasoning.max_tokens"]);
  });

  it("tells whether the gateway is to leave the reasoning out, which some upstreams do themselves", () => {
    expect(plan("quiet").planned.isExcluded).toBe(false);
    expect(plan("quiet", {}, CHAT).planned.isExcluded).toBe(true);
    expect(plan("claude-opus-4-7:high", {}, CHAT).planned.isExcluded).toBe(false);
  });

  it("takes it on itself where OpenRouter would give nothing to send back with tool calls", () => {
    const wish = { reasoning: { effort: "high", exclude: true } };
    const toolless = plan(ROUTED, wish, CHAT);
    expect(toolless.planned.call).toBe(toolless.call);
    const barely = plan("openrouter/anthropic/claude-opus-4.6", { reasoning: { exclude: true } }, CHAT);
    expect(barely.planned.call).toBe(barely.call);
    const { planned } = plan(ROUTED, { ...wish, tools }, CHAT);
    expect(planned).toMatchObject({ isExcluded: true, call: { putBack } });
    expect(planned.call.request().reasoning).toEqual({ mode: "effort", effort: "high" });
    const bare = plan(ROUTED, { reasoning: { exclude: true }, tools }, CHAT).planned;
    expect([bare.isExcluded, bare.call.request().reasoning]).toEqual([true, undefined]);
  });

  it("puts reasoning back for clients of other formats, and for those that do not see it", () => {
    expect(plan(ROUTED, { reasoning: { effort: "high" }, tools }, CHAT).planned.call.putBack).toBeUndefined();
    expect(plan("quiet", { tools: [] }, CHAT).planned.call.putBack).toBe(putBack);
    expect(plan("silent", { tools }, CHAT).planned.call.putBack).toBe(putBack);
    expect(plan("silent", {}, CHAT).planned.call.putBack).toBeUndefined();
  });

  it("plans what only a route's name for the model says", () => {
    expect(plan("deep").planned.call.request().reasoning).toEqual({ mode: "adaptive", effort: "high" });
  });

  it("asks for the betas of its own words alone", () => {
    const messagesTools = [{ name: "read", input_schema: { type: "object" } }];
    const thinking = { type: "enabled", budget_tokens: 1_024 };
    const betas = ["interleaved-thinking-2025-05-14"];
    expect(plan("claude-sonnet-4-5:4k", { tools: messagesTools }).planned.call.change?.betas).toEqual(betas);
    expect(plan("hidden", { tools: messagesTools, thinking }).planned.call.change?.betas).toEqual([]);
    expect(plan("hidden", { tools, reasoning_effort: "low" }, CHAT).planned.call.change?.betas).toEqual(betas);
  });

  it("reads no request that says nothing about thinking to a model that cannot", () => {
    expect(() => plan("gpt-4o", { messages: [{ role: 5 }] }, CHAT).planned).not.toThrow();
    expect(() => plan("gpt-4o", { messages: [{ role: 5 }], reasoning_effort: "low" }, CHAT)).toThrow("role");
  });

  it("takes a client's parameters from a model that cannot reason", () => {
    const { planned } = plan("claude-3-5-haiku-latest", { thinking: { type: "enabled", budget_tokens: 1_024 } });
    expect(planned.call.request()).not.toHaveProperty("reasoning");
    expect(planned.warnings).toMatchObject([{ feature: "reasoning", action: "dropped" }]);
  });

  it.each([
    [
      "claude-opus-4-6:ultra",
      'model "claude-opus-4-6:ultra": "ultra" says nothing about thinking that claude-opus-4-6',
    ],
    ["o4-mini:1.5k", "it takes one of low, medium, high; a number becomes a level"],
    ["gemini-2.5-flash:lots", "it takes 0 to 24576 tokens, as a number or with k for 1024"],
  ])("refuses %s at its own vendor, in words that help", (model, words) => {
    expect(() => plan(model)).toThrow(words);
  });

  it("lets other places judge what is behind a name", () => {
    const { planned } = plan("openrouter/anthropic/claude-opus-4.6:ultra", {}, "/v1/chat/completions");
    expect(planned.destination.model).toBe("anthropic/claude-opus-4.6:ultra");
  });

  it("refuses parameters in words that nobody knows before they are translated", () => {
    expect(() => plan("gpt-5", { output_config: { effort: "ultra" } })).toThrow('output_config.effort: "ultra"');
  });

  it("plans nothing where no answer is wanted", () => {
    expect(plan("claude-opus-4-6:ultra", {}, "/v1/messages/count_tokens").planned.warnings).toEqual([]);
  });
});
