import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PATH_SCHEMA } from "../conformance/client.ts";
import { openRig, type Rig } from "./rig.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
beforeEach(() => rig.simulator.reset());
afterAll(() => rig.close());

/** Sends a body to a gateway, as a client with a key. */
async function post(url: string, path: string, body: object): Promise<Response> {
  return await fetch(`${url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "anthropic-version": "2023-06-01", authorization: "Bearer client" },
    body: JSON.stringify(body),
  });
}

const MESSAGES = { max_tokens: 8_000, messages: [{ role: "user", content: "Hi" }] };

describe("the effective reasoning", () => {
  it.each([
    ["anthropic", "claude-opus-4-20250514:4k", {}, "4096"],
    ["anthropic", "claude-opus-4-20250514:high", {}, "16000"],
    ["anthropic", "claude-opus-4-7:low", {}, "low"],
    ["anthropic", "claude-opus-4-7:none", {}, "off"],
    ["openai", "o4-mini", { REASONING_EFFORT: "high" }, "high"],
    ["openai", "o4-mini", { REASONING_MAX_TOKENS: "9000" }, null],
    ["anthropic", "claude-opus-4-7", {}, null],
  ])("with %s, %s and %j is in a header: %s", async (upstream, model, environment, expected) => {
    const { url } = await rig.gateway({ upstream, environment });
    const answer = await post(url, "/v1/messages", { ...MESSAGES, model });
    expect([answer.status, answer.headers.get("x-longhaul-reasoning")]).toEqual([200, expected]);
    await answer.arrayBuffer();
  });

  it("is limited by reasoning.ceilingTokens instead of the usual ceiling, for levels and budgets", async () => {
    const { url } = await rig.gateway({ upstream: "anthropic", route: { ceilingTokens: 20_000 } });
    for (const suffix of ["high", "30000"]) {
      const answer = await post(url, "/v1/messages", { ...MESSAGES, model: `claude-sonnet-4-5:${suffix}` });
      expect(answer.headers.get("x-longhaul-reasoning")).toBe("20000");
      await answer.arrayBuffer();
    }
  });
});

describe("what a client cannot have", () => {
  const words = /"ultra" is not a reasoning suffix that \S+ supports; it accepts (one of|\d+ to \d+ tokens)/;

  it("is a 400 in its own dialect that names the model, the value and the valid values", async () => {
    const { url } = await rig.gateway({ upstream: "anthropic" });
    const model = "claude-opus-4-6:ultra";
    const anthropic = new Anthropic({ baseURL: url, apiKey: "key", maxRetries: 0 });
    await expect(
      anthropic.messages.create({ ...MESSAGES, model, messages: [{ role: "user", content: "Hi" }] }),
    ).rejects.toMatchObject({
      status: 400,
      error: { type: "error", error: { type: "invalid_request_error", message: expect.stringMatching(words) } },
    });
    const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: "key", maxRetries: 0 });
    const refused = {
      status: 400,
      param: "model",
      type: "invalid_request_error",
      message: expect.stringMatching(words),
    };
    await expect(
      openai.chat.completions.create({ model, messages: [{ role: "user", content: "Hi" }] }),
    ).rejects.toMatchObject(refused);
    await expect(openai.responses.create({ model, input: "Hi" })).rejects.toMatchObject(refused);
    const google = new GoogleGenAI({ apiKey: "key", httpOptions: { baseUrl: url } });
    await expect(google.models.generateContent({ model, contents: "Hi" })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("INVALID_ARGUMENT"),
    });
    expect(rig.simulator.requests()).toEqual([]);
  });

  it("is reported in a header and in the log if the request can continue without it", async () => {
    const { url } = await rig.gateway({ upstream: "openai" });
    const answer = await post(url, "/v1/messages", { ...MESSAGES, model: "gpt-4o:high" });
    const what =
      /the model "gpt-4o" cannot reason, so the parameters were removed; use a reasoning model \(OpenAI's o-series/;
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-longhaul-warnings")).toMatch(what);
    expect(rig.log()).toContainEqual(
      expect.objectContaining({ msg: "parameter adjusted", model: "gpt-4o", what: expect.stringMatching(what) }),
    );
  });

  it("is adjusted, and the log has what it was and what it became", async () => {
    const { url } = await rig.gateway({ upstream: "anthropic" });
    const answer = await post(url, "/v1/messages", { ...MESSAGES, model: "claude-opus-4-20250514:20000" });
    expect(answer.headers.get("x-longhaul-warnings")).toContain("gets 16000 instead of 20000");
    expect(rig.log()).toContainEqual(
      expect.objectContaining({ feature: "reasoning.budget", what: expect.stringContaining("16000 instead of 20000") }),
    );
  });
});

it("sends each model of a hybrid set-up its own parameters, and leaves system prompts alone", async () => {
  const { url } = await rig.gateway({
    environment: { REASONING_EFFORT: "medium" },
    routes: [
      { match: "claude-*opus*", upstream: "openai", model: "gpt-5:high" },
      { match: "claude-*haiku*", upstream: "gemini", model: "gemini-2.5-flash", reasoning: { maxTokens: 1_024 } },
    ],
  });
  const system = "You are careful.";
  for (const model of ["claude-opus-5", "claude-haiku-4-5", "claude-sonnet-5", "claude-opus-5:low"]) {
    expect((await post(url, "/v1/messages", { ...MESSAGES, system, model })).status).toBe(200);
  }
  expect(rig.simulator.requests().map(({ body }) => body)).toMatchObject([
    { model: "gpt-5", reasoning: { effort: "high" }, instructions: system },
    {
      generationConfig: { thinkingConfig: { thinkingBudget: 1_024 } },
      systemInstruction: { parts: [{ text: system }] },
    },
    { model: "claude-sonnet-5", thinking: { type: "adaptive" }, output_config: { effort: "medium" }, system },
    { model: "gpt-5", reasoning: { effort: "low" }, instructions: system },
  ]);
});

it("counts the tokens of a model with a suffix", async () => {
  const { url } = await rig.gateway({ upstream: "anthropic" });
  const { messages } = MESSAGES;
  const answer = await post(url, "/v1/messages/count_tokens", { model: "claude-opus-4-6:high", messages });
  expect([answer.status, await answer.json()]).toEqual([200, { input_tokens: expect.any(Number) }]);
  expect(rig.simulator.requests().at(-1)?.body).toEqual({ model: "claude-opus-4-6", messages });
});

describe("bytes", () => {
  it("stay unchanged if no reasoning parameter changes", async () => {
    const { url } = await rig.gateway({ upstream: "anthropic", environment: { REASONING_EFFORT: "high" } });
    const text = `{"model" : "claude-opus-4-7","max_tokens":8000, "thinking":{"type":"adaptive"}, "output_config":{"effort":"low"},"messages":[{"role":"user","content":"Hi"}]}`;
    const headers = { "anthropic-version": "2023-06-01", "x-api-key": "client" };
    await fetch(`${url}/v1/messages`, { method: "POST", headers, body: text });
    expect(rig.simulator.requests().at(-1)).toMatchObject({ bytes: text.length, body: JSON.parse(text) });
  });
});

describe("reasoning that is gone", () => {
  const tools = [{ type: "function", function: { name: "read", parameters: PATH_SCHEMA } }];
  const ask = { role: "user", content: 'simulate: think 60\nsimulate: call read {"path":"a.ts"}\nsimulate: say Done.' };

  it("lets that turn run without thinking, and says so", async () => {
    const { url } = await rig.gateway({ upstream: "anthropic" });
    const call = { id: "toolu_unheard_of", type: "function", function: { name: "read", arguments: '{"path":"a.ts"}' } };
    const messages = [
      ask,
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: call.id, content: "text" },
    ];
    const answer = await post(url, "/v1/chat/completions", { model: "claude-sonnet-4-5:4k", messages, tools });
    expect(answer.status).toBe(200);
    expect(rig.simulator.requests().at(-1)?.body).not.toHaveProperty("thinking");
    expect(answer.headers.get("x-longhaul-warnings")).toContain("a tool loop that started without thinking");
  });
});

describe("the budget of a request", () => {
  it("leaves room for the thinking that a suffix asks for", async () => {
    const models = { anthropic: "claude-sonnet-4-5" };
    const context = { strategy: "sliding-window" };
    const { url } = await rig.gateway({
      routes: [{ match: "small", upstream: "windowed", model: models.anthropic, context }],
    });
    const words = Array.from({ length: 40 }, (_, index) => ({
      role: index % 2 === 0 ? "user" : "assistant",
      content: `${index} ${"word ".repeat(470)}`,
    }));
    const body = { ...MESSAGES, messages: [...words, { role: "user", content: "Hi" }] };
    const plain = await post(url, "/v1/messages", { ...body, model: "small" });
    const deep = await post(url, "/v1/messages", { ...body, model: "small:16000" });
    expect([plain, deep].map(({ status, headers }) => [status, headers.get("x-context-compressed")])).toEqual([
      [200, null],
      [200, "true"],
    ]);
  });
});
