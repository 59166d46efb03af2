import Anthropic, { AuthenticationError, BadRequestError, NotFoundError } from "@anthropic-ai/sdk";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Rejection } from "../core/api.ts";
import { makeWorld } from "../core/world.ts";
import { openSimulator, type Simulator } from "../simulator.ts";
import { makeCall } from "../testing/make.ts";
import { post } from "../testing/post.ts";
import { anthropicDialect, listModels, readBody, requireModel, retrieveModel } from "./api.ts";

let simulator: Simulator;
let client: Anthropic;

beforeAll(async () => {
  simulator = await openSimulator({ models: { "claude-haiku-4-5": { window: 2_000 } } });
  client = new Anthropic({ baseURL: simulator.url, apiKey: "key", maxRetries: 0 });
});
beforeEach(() => simulator.reset());
afterAll(() => simulator.close());

const model = "claude-opus-4-6";
const say = (content: string) => [{ role: "user" as const, content }];
const tools = [{ name: "read", input_schema: { type: "object" as const, properties: { path: { type: "string" } } } }];

describe("Anthropic's SDK", () => {
  it("gets a reply", async () => {
    const message = await client.messages.create({ model, max_tokens: 100, messages: say("hello") });
    expect(message.content).toEqual([{ type: "text", text: "You said: hello" }]);
    expect(message.usage.input_tokens).toBeGreaterThan(0);
    expect(message._request_id).toMatch(/^req_/);
  });

  it("streams text, thinking and calls into the same message as without streaming", async () => {
    const messages = say(
      'simulate: call read {"path":"é/{step}.ts"}\nsimulate: call read\nsimulate: comment Looking at two files.',
    );
    const body = { model, max_tokens: 2_000, messages, tools, thinking: { type: "adaptive" as const } };
    const whole = await client.messages.create(body);
    const streamed = await client.messages.stream(body).finalMessage();
    expect(streamed.content).toEqual(whole.content);
    expect(streamed.content.map(({ type }) => type)).toEqual(["thinking", "text", "tool_use", "tool_use"]);
    expect([streamed.stop_reason, streamed.usage.output_tokens]).toEqual(["tool_use", whole.usage.output_tokens]);
  });

  it("runs a tool loop with signed thinking", async () => {
    const messages: Anthropic.MessageParam[] = say(
      'simulate: call read {"path":"{step}.ts"}\nsimulate: times 3\nsimulate: say done',
    );
    for (let step = 0; step < 4; step += 1) {
      const reply = await client.messages.create({
        model,
        max_tokens: 2_000,
        messages,
        tools,
        thinking: { type: "adaptive" },
      });
      messages.push({ role: "assistant", content: reply.content });
      const uses = reply.content.filter((block) => block.type === "tool_use");
      if (uses.length === 0) break;
      messages.push({
        role: "user",
        content: uses.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: "text" })),
      });
    }
    expect(messages).toHaveLength(8);
    expect(messages.at(-1)).toMatchObject({ content: [{ type: "thinking" }, { type: "text", text: "done" }] });
  });

  it("counts tokens and lists models", async () => {
    const counted = await client.messages.countTokens({ model, messages: say("hello") });
    const answered = await client.messages.create({ model, max_tokens: 9, messages: say("hello") });
    expect(counted.input_tokens).toBe(answered.usage.input_tokens);
    const ids: string[] = [];
    for await (const { id } of client.models.list({ limit: 50 })) ids.push(id);
    expect(ids).toContain(model);
    expect((await client.models.retrieve(model)).max_input_tokens).toBe(1_000_000);
  });

  it("gets structured output", async () => {
    const schema = {
      type: "object",
      properties: { ok: { type: "boolean" } },
      required: ["ok"],
      additionalProperties: false,
    };
    const message = await client.messages.create({
      model,
      max_tokens: 100,
      messages: say("is it?"),
      output_config: { format: { type: "json_schema", schema } },
    });
    expect(message.content).toEqual([{ type: "text", text: '{"ok":true}' }]);
  });

  it("recognizes the errors", async () => {
    const create = (body: object) => client.messages.create({ model, max_tokens: 9, messages: say("hi"), ...body });
    await expect(create({ model: "claude-nope" })).rejects.toThrow(NotFoundError);
    await expect(create({ max_tokens: -1 })).rejects.toThrow(BadRequestError);
    await expect(create({ model: "claude-haiku-4-5", messages: say("word ".repeat(3_000)) })).rejects.toThrow(
      /prompt is too long: \d+ tokens > 2000 maximum/,
    );
  });

  it("compacts on demand", async () => {
    const betas = ["compact-2026-09-04"];
    const compacted = await client.beta.messages.create({
      model,
      max_tokens: 400,
      messages: [...say("look at src/a.ts"), { role: "assistant", content: "done" }],
      compaction: { type: "summarize" },
      betas,
    });
    expect([compacted.stop_reason, compacted.content[0]?.type]).toEqual(["compaction", "compaction"]);
    const messages = [{ role: "assistant" as const, content: compacted.content }, ...say("and now?")];
    const next = await client.beta.messages.create({ model, max_tokens: 100, messages, betas });
    expect(next.stop_reason).toBe("end_turn");
  });
});

describe("access", () => {
  const url = () => `${simulator.url}/v1/messages`;
  const headers = { "x-api-key": "key", "anthropic-version": "2023-06-01" };
  const body = { model, max_tokens: 9, messages: say("hi") };

  it.each([
    ["no key", {}, 401, "authentication_error", "x-api-key header is required"],
    ["no version", { "x-api-key": "key" }, 400, "invalid_request_error", "anthropic-version: header is required"],
  ])("rejects a request with %s", async (_, given, status, type, message) => {
    expect(await post(url(), body, given)).toMatchObject({ status, body: { type: "error", error: { type, message } } });
  });

  it("accepts either header for the key, and only known keys if any are set", async () => {
    const strict = await openSimulator({ keys: ["right"] });
    const version = { "anthropic-version": "2023-06-01" };
    const ask = (given: Record<string, string>) => post(`${strict.url}/v1/messages`, body, { ...version, ...given });
    expect((await ask({ "x-api-key": "right" })).status).toBe(200);
    expect((await ask({ authorization: "Bearer right" })).status).toBe(200);
    expect(await ask({ "x-api-key": "wrong" })).toMatchObject({
      status: 401,
      body: { error: { message: "invalid x-api-key" } },
    });
    await strict.close();
    const anonymous = new Anthropic({ baseURL: simulator.url, apiKey: null, authToken: null, maxRetries: 0 });
    await expect(anonymous.messages.create(body, { headers: { authorization: "Bearer " } })).rejects.toThrow(
      AuthenticationError,
    );
  });

  it("rejects a body that is not valid JSON, not an object, or without a model", async () => {
    expect(await post(url(), "{", headers)).toMatchObject({ status: 400 });
    expect(() => readBody([])).toThrow("Input should be a valid dictionary or object to extract fields from");
    expect(await post(url(), {}, headers)).toMatchObject({ body: { error: { message: "model: Field required" } } });
  });

  it("rejects a body over 32 MB", async () => {
    const large = { ...body, messages: say("x".repeat(33 * 1024 * 1024)) };
    expect(await post(url(), large, headers)).toMatchObject({
      status: 413,
      body: { error: { type: "request_too_large" } },
    });
  });

  it("answers the probes of clients", async () => {
    for (const path of ["/", "/api/hello"])
      expect((await fetch(`${simulator.url}${path}`, { method: "HEAD" })).status).toBe(200);
  });

  it("ignores a query string", async () => {
    expect((await post(`${url()}?beta=true`, body, headers)).status).toBe(200);
  });
});

const world = makeWorld({});

it("finds models by exact id", () => {
  expect(requireModel("claude-opus-4-6", world).id).toBe("claude-opus-4-6");
  expect(() => requireModel("claude-nope", world)).toThrow(
    expect.objectContaining({ status: 404, message: "model: claude-nope" }),
  );
});

it("lists models by page", () => {
  const page = (query: string) => {
    const reply = listModels(makeCall({ query: new URLSearchParams(query) }), world);
    return reply.kind === "json"
      ? (reply.body as { data: { id: string }[]; has_more: boolean; last_id: string })
      : undefined;
  };
  const all = page("limit=1000");
  expect(all?.has_more).toBe(false);
  expect(all?.data.map(({ id }) => id)).toContain("claude-fable-5-1");
  const first = page("limit=3");
  expect([first?.data.length, first?.has_more]).toEqual([3, true]);
  expect(page(`limit=3&after_id=${first?.last_id}`)?.data[0]?.id).toBe(all?.data[3]?.id);
});

it("describes a model's capabilities", () => {
  const reply = retrieveModel(makeCall({ params: ["claude-opus-4-6"] }), world);
  expect(reply).toMatchObject({
    status: 200,
    body: {
      id: "claude-opus-4-6",
      display_name: "Claude Opus 4.6",
      line: "opus",
      max_input_tokens: 1_000_000,
      max_tokens: 128_000,
      capabilities: {
        compaction: { supported: true },
        context_management: { compact_20260112: { supported: true } },
        effort: { supported: true, xhigh: { supported: false }, max: { supported: true } },
        thinking: {
          types: { adaptive: { supported: true }, enabled: { supported: true }, disabled: { supported: true } },
        },
      },
    },
  });
});

it("returns errors with type, message and request id", () => {
  const reply = anthropicDialect.error(new Rejection(400, "prompt is too long: 2 tokens > 1 maximum"), "req_1");
  expect(reply).toEqual({
    kind: "json",
    status: 400,
    headers: { "request-id": "req_1" },
    body: {
      type: "error",
      error: { type: "invalid_request_error", message: "prompt is too long: 2 tokens > 1 maximum" },
      request_id: "req_1",
    },
  });
});

it.each([
  [401, "authentication_error"],
  [404, "not_found_error"],
  [413, "request_too_large"],
  [422, "invalid_request_error"],
  [429, "rate_limit_error"],
  [502, "api_error"],
  [529, "overloaded_error"],
])("maps status %d to %s", (status, type) => {
  expect(anthropicDialect.error(new Rejection(status, "m"), "r").body).toMatchObject({ error: { type } });
});

it("adds codes and headers", () => {
  const rejection = new Rejection(429, "m", { code: "compaction_unavailable", headers: { "retry-after": "2" } });
  const reply = anthropicDialect.error(rejection, "r");
  expect(reply.body).toMatchObject({ error: { details: { error_code: "compaction_unavailable" } } });
  expect(reply.headers).toMatchObject({ "retry-after": "2" });
});

it("sends an error inside a stream with its event line", () => {
  expect(anthropicDialect.streamError(new Rejection(529, "Overloaded"))).toEqual([
    { event: "error", data: '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}' },
  ]);
});
