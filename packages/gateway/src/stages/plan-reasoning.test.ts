import type { Reasoning, Request, WireId } from "@longhaul/conversation/advanced";
import { makeConversation, makeTool, makeUser } from "@longhaul/conversation/testing";
import { decode } from "@longhaul/fit";
import { findModel, loadCatalog } from "@longhaul/models";
import { codecNamed } from "@longhaul/wire";
import { afterAll, describe, expect, it } from "vitest";
import { findEndpoint } from "../request/endpoints.ts";
import { makeCaller } from "../testing/caller.ts";
import { makeContext } from "../testing/context.ts";
import { makeMemory } from "../testing/memory.ts";
import { makeSnapshot } from "../testing/snapshot.ts";
import { checkOwnReasoning, inSibling, neededBetas, planCall, planReasoning } from "./plan-reasoning.ts";
import { resolve } from "./resolve.ts";

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
    { match: "deepseek-*", upstream: "local" },
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
  const [destination] = resolve({ key: undefined, model, wire: call.endpoint.wire }, snapshot);
  return { call, destination: destination!, planned: planCall(call, destination!, putBack) };
}

const putBack = (request: Request) => request;
const CHAT = "/v1/chat/completions";
const ROUTED = "openrouter/openai/gpt-5";
const tools = [{ type: "function", function: { name: "read", parameters: { type: "object" } } }];

describe("planCall", () => {
  it("returns the identical call if only the client sets reasoning", () => {
    const { call, destination, planned } = plan("claude-opus-4-7", { thinking: { type: "adaptive" } });
    expect(planned).toEqual({ call, destination, warnings: [], isExcluded: false });
    expect(planned.call).toBe(call);
  });

  it("changes the parameters and the output limit of the request", () => {
    const { planned } = plan("claude-sonnet-4-5:4k");
    const reasoning = { mode: "budget", budgetTokens: 4_096 };
    expect(planned.call.request()).toMatchObject({ reasoning, maxOutputTokens: 6_096 });
    expect(planned.call.wholeRequest()).toMatchObject({ reasoning, maxOutputTokens: 6_096 });
    expect(planned.call.change?.parameters(planned.call.request())).toMatchObject({ reasoning });
    expect(planned.warnings.map(({ feature }) => feature)).toEqual(["reasoning.max_tokens"]);
  });

  it("excludes reasoning in the gateway if the settings say so, whatever the upstream does", () => {
    expect(plan("quiet").planned.isExcluded).toBe(true);
    expect(plan("quiet", {}, CHAT).planned.isExcluded).toBe(true);
    expect(plan("claude-opus-4-7:high", {}, CHAT).planned.isExcluded).toBe(false);
  });

  it("excludes reasoning in the gateway if OpenRouter would return nothing to send back with tool calls", () => {
    const body = { reasoning: { effort: "high", exclude: true } };
    const toolless = plan(ROUTED, body, CHAT);
    expect(toolless.planned.call).toBe(toolless.call);
    const barely = plan("openrouter/anthropic/claude-opus-4.6", { reasoning: { exclude: true } }, CHAT);
    expect(barely.planned.call).toBe(barely.call);
    const { planned } = plan(ROUTED, { ...body, tools }, CHAT);
    expect(planned).toMatchObject({ isExcluded: true, call: { putBack } });
    expect(planned.call.request().reasoning).toEqual({ mode: "effort", effort: "high" });
    const bare = plan(ROUTED, { reasoning: { exclude: true }, tools }, CHAT).planned;
    expect([bare.isExcluded, bare.call.request().reasoning]).toEqual([true, undefined]);
  });

  it("puts reasoning back for clients of other formats and for those that do not see it", () => {
    expect(plan(ROUTED, { reasoning: { effort: "high" }, tools }, CHAT).planned.call.putBack).toBeUndefined();
    expect(plan("quiet", { tools: [] }, CHAT).planned.call.putBack).toBe(putBack);
    expect(plan("silent", { tools }, CHAT).planned.call.putBack).toBe(putBack);
    expect(plan("silent", {}, CHAT).planned.call.putBack).toBeUndefined();
  });

  it("applies the suffix of a route's model", () => {
    expect(plan("deep").planned.call.request().reasoning).toEqual({ mode: "adaptive", effort: "high" });
  });

  it("adds betas only for parameters that the gateway wrote", () => {
    const messagesTools = [{ name: "read", input_schema: { type: "object" } }];
    const thinking = { type: "enabled", budget_tokens: 1_024 };
    const betas = ["interleaved-thinking-2025-05-14"];
    expect(plan("claude-sonnet-4-5:4k", { tools: messagesTools }).planned.call.change?.betas).toEqual(betas);
    expect(plan("hidden", { tools: messagesTools, thinking }).planned.call.change?.betas).toEqual([]);
    expect(plan("hidden", { tools, reasoning_effort: "low" }, CHAT).planned.call.change?.betas).toEqual(betas);
  });

  it("does not decode a request without reasoning parameters for a model that cannot reason", () => {
    expect(() => plan("gpt-4o", { messages: [{ role: 5 }] }, CHAT).planned).not.toThrow();
    expect(() => plan("gpt-4o", { messages: [{ role: 5 }], reasoning_effort: "low" }, CHAT)).toThrow("role");
  });

  it("removes a client's parameters for a model that cannot reason", () => {
    const { planned } = plan("claude-3-5-haiku-latest", { thinking: { type: "enabled", budget_tokens: 1_024 } });
    expect(planned.call.request()).not.toHaveProperty("reasoning");
    expect(planned.warnings).toMatchObject([{ feature: "reasoning", action: "dropped" }]);
  });

  it.each([
    [
      "claude-opus-4-6:ultra",
      'model "claude-opus-4-6:ultra": "ultra" is not a reasoning suffix that claude-opus-4-6 supports',
    ],
    ["o4-mini:1.5k", "it accepts one of low, medium, high; a number is converted to a level"],
    ["gemini-2.5-flash:lots", "it accepts 0 to 24576 tokens, as a number or with k for 1024"],
  ])("rejects %s at its own vendor and lists what it supports", (model, words) => {
    expect(() => plan(model)).toThrow(words);
  });

  it("leaves an unknown suffix to other upstreams", () => {
    const { planned } = plan("openrouter/anthropic/claude-opus-4.6:ultra", {}, "/v1/chat/completions");
    expect(planned.destination.model).toBe("anthropic/claude-opus-4.6:ultra");
  });

  it("rejects it at a compatible server that knows the model without it, unless it is a tag", () => {
    expect(() => plan("deepseek-v4-pro:ultra", {}, CHAT)).toThrow('"ultra" is not a reasoning suffix');
    expect(plan("deepseek-v4-pro:latest", {}, CHAT).planned.destination.model).toBe("deepseek-v4-pro:latest");
  });

  it("rejects unknown parameters before translation", () => {
    expect(() => plan("gpt-5", { output_config: { effort: "ultra" } })).toThrow('output_config.effort: "ultra"');
  });

  it("plans nothing for a token count", () => {
    expect(plan("claude-opus-4-6:ultra", {}, "/v1/messages/count_tokens").planned.warnings).toEqual([]);
  });
});

it("logs each adjusted parameter with the request and the model", async () => {
  const lines: string[] = [];
  const logged = makeSnapshot(
    { upstreams: { up: { kind: "anthropic" } }, routes: [{ match: "*", upstream: "up" }] },
    lines,
  );
  const { call } = plan("claude-sonnet-4-5:4k");
  const [destination] = resolve({ key: undefined, model: call.model, wire: call.endpoint.wire }, logged);
  await planReasoning(call, {
    destination: destination!,
    context: makeContext({ snapshot: logged, memory: await makeMemory() }),
  });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { id: "lh_1", model: "claude-sonnet-4-5", upstream: "up", feature: "reasoning.max_tokens" },
  ]);
  await logged.close();
});

const claudeOnly = makeSnapshot({
  upstreams: { claude: { kind: "anthropic" } },
  routes: [{ match: "*", upstream: "claude" }],
});
afterAll(() => claudeOnly.close());

function betasOf(model: string, mode: "budget" | "adaptive", tools = [makeTool()], wire?: WireId): readonly string[] {
  const conversation = makeConversation([makeUser()], { tools });
  const request: Request = { model, conversation, stream: false, sampling: {} };
  const [destination] = resolve({ key: undefined, model, wire: "anthropic-messages" }, claudeOnly);
  return neededBetas(request, { mode }, { ...destination!, ...(wire !== undefined && { wire }) });
}

it("needs the beta for Claude 4 with a budget and tools", () => {
  expect(betasOf("claude-sonnet-4-5", "budget")).toEqual(["interleaved-thinking-2025-05-14"]);
});

it("needs no beta without tools, without a budget, or for a model that never interleaves", () => {
  expect(betasOf("claude-sonnet-4-5", "budget", [])).toEqual([]);
  expect(betasOf("claude-opus-4-6", "adaptive")).toEqual([]);
  expect(betasOf("claude-3-7-sonnet-20250219", "budget")).toEqual([]);
  expect(betasOf("claude-sonnet-4-5", "budget", [makeTool()], "openai-chat")).toEqual([]);
});

const { model } = findModel(loadCatalog(), "o4-mini");

function check(wire: string, body: object): void {
  const empty = { model: "o4-mini", messages: [], contents: [], input: [] };
  checkOwnReasoning(codecNamed(wire).decodeRequest({ ...empty, ...body }, { model: "o4-mini" }), model);
}

describe("checkOwnReasoning", () => {
  it.each([
    ["anthropic-messages", { thinking: { type: "sometimes" } }, 'thinking.type: "sometimes"'],
    ["anthropic-messages", { thinking: { type: "enabled", budget_tokens: "4k" } }, 'thinking.budget_tokens: "4k"'],
    ["anthropic-messages", { thinking: { type: "enabled" } }, 'thinking: {"type":"enabled"}'],
    ["anthropic-messages", { thinking: "high" }, 'thinking: "high"'],
    [
      "anthropic-messages",
      { thinking: { type: "adaptive" }, output_config: { effort: "ultra" } },
      'output_config.effort: "ultra"',
    ],
    ["openai-chat", { reasoning_effort: "ultra" }, 'reasoning_effort: "ultra"'],
    ["openai-chat", { reasoning: { effort: "ultra", max_tokens: 9 } }, 'reasoning.effort: "ultra"'],
    ["openai-chat", { reasoning: { max_tokens: "4k" } }, 'reasoning.max_tokens: "4k"'],
    ["openai-chat", { reasoning_effort: "High" }, 'reasoning_effort: "High"'],
    ["openai-chat", { reasoning: true }, "reasoning: true"],
    ["openai-responses", { reasoning: "high" }, 'reasoning: "high"'],
    [
      "gemini",
      { generationConfig: { thinkingConfig: { thinkingBudget: "4k" } } },
      'generationConfig.thinkingConfig.thinkingBudget: "4k"',
    ],
    [
      "gemini",
      { generationConfig: { thinkingConfig: { thinkingBudget: -5 } } },
      "generationConfig.thinkingConfig.thinkingBudget: -5",
    ],
    ["gemini", { generationConfig: { thinkingConfig: "on" } }, 'generationConfig.thinkingConfig: "on"'],
    ["openai-responses", { reasoning: { effort: "ultra" } }, 'reasoning.effort: "ultra"'],
    [
      "gemini",
      { generationConfig: { thinkingConfig: { thinkingLevel: "ULTRA" } } },
      'generationConfig.thinkingConfig.thinkingLevel: "ULTRA"',
    ],
  ])("rejects unknown parameters of %s: %j", (wire, body, words) => {
    expect(() => check(wire, body)).toThrow(
      `${words} is not a reasoning parameter that the model "o4-mini" supports; it accepts one of low, medium, high; a number is converted to a level`,
    );
  });

  it.each([
    ["anthropic-messages", { thinking: { type: "enabled", budget_tokens: 4_096 }, output_config: { effort: "max" } }],
    ["anthropic-messages", { thinking: { type: "adaptive", block_binding: "x" } }],
    ["openai-chat", { reasoning_effort: "xhigh" }],
    ["openai-responses", { reasoning: { effort: "none", summary: "auto" } }],
    ["gemini", { generationConfig: { thinkingConfig: { thinkingBudget: -1 } } }],
    ["openai-chat", {}],
    ["openai-chat", { reasoning_effort: null, reasoning: null }],
    ["anthropic-messages", { thinking: null }],
  ])("accepts known parameters of %s: %j", (wire, body) => {
    expect(() => check(wire, body)).not.toThrow();
  });

  it("shortens a long value", () => {
    expect(() => check("openai-chat", { reasoning_effort: "x".repeat(1_000) })).toThrow(
      /"x{99} is not a reasoning parameter/,
    );
  });
});

const siblings = makeSnapshot({
  upstreams: {
    openai: { kind: "openai" },
    pinned: { kind: "openai", wire: "openai-chat" },
    local: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:8/v1" },
  },
  routes: [
    { match: "pinned", upstream: "pinned", model: "gpt-5" },
    { match: "local", upstream: "local", model: "gpt-5" },
    { match: "*", upstream: "openai" },
  ],
});
afterAll(() => siblings.close());

const HIGH: Reasoning = { mode: "effort", effort: "high" };

function wireOf(model: string, reasoning: Reasoning | undefined, fields: object = {}): string {
  const body = Buffer.from(JSON.stringify({ model, messages: [{ role: "user", content: "Hi" }], ...fields }));
  const endpoint = findEndpoint("POST", "/v1/chat/completions", {});
  const call = decode({ id: "lh_1", endpoint: endpoint!, body, headers: {}, query: "", caller: makeCaller() });
  const [destination] = resolve({ key: undefined, model, wire: "openai-chat" }, siblings);
  return inSibling(call, destination!, reasoning).wire;
}

describe("inSibling", () => {
  it("sends a request with reasoning to OpenAI's Responses API", () => {
    expect(wireOf("gpt-5", HIGH)).toBe("openai-responses");
    expect(wireOf("gpt-5", HIGH, { n: 1, logprobs: false })).toBe("openai-responses");
  });

  it("stays with chat without reasoning, or with parameters that only chat has", () => {
    expect(wireOf("gpt-5", undefined)).toBe("openai-chat");
    expect(wireOf("gpt-5.2", { mode: "off" })).toBe("openai-chat");
    expect(wireOf("gpt-5", HIGH, { n: 2 })).toBe("openai-chat");
  });

  it("sends a Responses body there even from the chat endpoint", () => {
    expect(wireOf("gpt-5", HIGH, { messages: undefined, input: "Hi", top_logprobs: 2 })).toBe("openai-responses");
  });

  it("stays with chat if the upstream has no Responses API", () => {
    expect([wireOf("pinned", HIGH), wireOf("local", HIGH)]).toEqual(["openai-chat", "openai-chat"]);
  });
});
