import { anthropicError, type Handler, json, openUpstream } from "@longhaul/fit/testing";
import { afterEach, describe, expect, it } from "vitest";
import { ask } from "../testing/serve.ts";
import { makeSnapshot } from "../testing/snapshot.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function routed(kind: string, ...handlers: Handler[]) {
  const upstream = await openUpstream(...handlers);
  const baseUrl = kind.startsWith("openai") ? `${upstream.url}/v1` : upstream.url;
  const snapshot = makeSnapshot({
    upstreams: { up: { kind, baseUrl, apiKey: "ours", maxRetries: 0 } },
    routes: [
      { match: "big", upstream: "up", model: "claude-opus-4-6" },
      { match: "*", upstream: "up" },
    ],
  });
  closers.push(upstream.close, snapshot.close);
  return { ...upstream, snapshot };
}

const TEXT = "How many tokens are there in these few plain words?";
const MESSAGES = { model: "claude-opus-4-6", messages: [{ role: "user", content: TEXT }] };
const RESPONSES = { model: "gpt-4o", input: TEXT };
const GEMINI = { contents: [{ role: "user", parts: [{ text: TEXT }] }] };

describe("if the upstream counts in the client's format", () => {
  it.each([
    ["anthropic", "/v1/messages/count_tokens", MESSAGES, "/v1/messages/count_tokens", '{ "input_tokens": 7 }'],
    ["openai", "/v1/responses/input_tokens", RESPONSES, "/v1/responses/input_tokens", '{"input_tokens":7.0}'],
    ["gemini", "/v1beta/models/gemini-2.5-pro:countTokens", GEMINI, undefined, '{"totalTokens":7}'],
  ])("%s counts, and the client gets its bytes", async (kind, path, body, there, answer) => {
    const { snapshot, seen } = await routed(kind, json(answer));
    const { status, text } = await ask(snapshot, path, body);
    expect([status, text]).toEqual([200, answer]);
    expect(seen[0]).toMatchObject({ method: "POST", path: there ?? path, body: JSON.stringify(body) });
  });

  it("changes only the model's name", async () => {
    const { snapshot, seen } = await routed("anthropic", json({ input_tokens: 7 }));
    await ask(snapshot, "/v1/messages/count_tokens", '{"model":"big", "messages":[], "tools":[ ]}');
    expect(seen[0]?.body).toBe('{"model":"claude-opus-4-6", "messages":[], "tools":[ ]}');
  });

  it("passes on its refusal", async () => {
    const error = anthropicError(400, "invalid_request_error", "messages: at least one message is required");
    const { snapshot } = await routed("anthropic", json(error, 400));
    const { status, text } = await ask(snapshot, "/v1/messages/count_tokens", MESSAGES);
    expect([status, text]).toEqual([400, error]);
  });
});

describe("if it does not", () => {
  it.each([404, 405, 501])("counts in the gateway if it answers %d", async (status) => {
    const { snapshot } = await routed("anthropic", json(anthropicError(status, "not_found_error", "no"), status));
    const answer = await ask(snapshot, "/v1/messages/count_tokens", MESSAGES);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text).input_tokens).toBeGreaterThan(10);
  });

  it.each([
    ["/v1/messages/count_tokens", MESSAGES, { input_tokens: expect.any(Number) }],
    ["/v1/responses/input_tokens", RESPONSES, { object: "response.input_tokens", input_tokens: expect.any(Number) }],
    ["/v1beta/models/gemini-2.5-pro:countTokens", GEMINI, { totalTokens: expect.any(Number) }],
  ])("answers %s in the client's dialect", async (path, body, answer) => {
    const { snapshot, seen } = await routed("openai-compatible", json({}));
    const { status, text } = await ask(snapshot, path, body);
    expect([status, JSON.parse(text)]).toEqual([200, answer]);
    expect(seen).toEqual([]);
  });

  it("counts in the gateway if the upstream has no path for it", async () => {
    const snapshot = makeSnapshot({
      upstreams: { aws: { kind: "bedrock", region: "us-east-1", accessKeyId: "i", secretAccessKey: "s" } },
      routes: [{ match: "*", upstream: "aws" }],
    });
    closers.push(snapshot.close);
    expect((await ask(snapshot, "/v1/messages/count_tokens", MESSAGES)).status).toBe(200);
  });

  it("counts system, tools, calls and results", async () => {
    const { snapshot } = await routed("openai-compatible", json({}));
    const count = async (body: object) =>
      JSON.parse((await ask(snapshot, "/v1/messages/count_tokens", body)).text).input_tokens;
    const plain = await count(MESSAGES);
    const call = { type: "tool_use", id: "t1", name: "read", input: { path: "src/a.ts" } };
    const result = { type: "tool_result", tool_use_id: "t1", content: TEXT };
    const system = await count({ ...MESSAGES, system: TEXT });
    const tools = await count({ ...MESSAGES, tools: [{ name: "read", input_schema: { type: "object" } }] });
    const loop = await count({
      ...MESSAGES,
      messages: [...MESSAGES.messages, { role: "assistant", content: [call] }, { role: "user", content: [result] }],
    });
    expect([system, tools, loop].map((tokens) => tokens > plain + 10)).toEqual([true, true, true]);
  });

  it("counts a nested request of Gemini's clients", async () => {
    const { snapshot } = await routed("openai-compatible", json({}));
    const path = "/v1beta/models/gemini-2.5-pro:countTokens";
    const bare = await ask(snapshot, path, GEMINI);
    const wrapped = await ask(snapshot, path, { generateContentRequest: { model: "models/x", ...GEMINI } });
    expect(wrapped.text).toBe(bare.text);
  });

  it("explains why a body cannot be counted", async () => {
    const { snapshot } = await routed("openai-compatible", json({}));
    const { status, text } = await ask(snapshot, "/v1/messages/count_tokens", { model: "m", messages: [7] });
    expect([status, JSON.parse(text)]).toMatchObject([
      400,
      { type: "error", error: { type: "invalid_request_error" } },
    ]);
  });
});
