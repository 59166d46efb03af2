import Anthropic, { AuthenticationError, BadRequestError, NotFoundError } from "@anthropic-ai/sdk";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openSimulator, type Simulator } from "../simulator.ts";
import { post } from "../testing/post.ts";
import { readBody } from "./api.ts";

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

  it("streams text, thinking and calls into the same message that it gets whole", async () => {
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

  it("goes through a loop of tools with signed thinking", async () => {
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

  it("knows the errors", async () => {
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

describe("the door", () => {
  const url = () => `${simulator.url}/v1/messages`;
  const headers = { "x-api-key": "key", "anthropic-version": "2023-06-01" };
  const body = { model, max_tokens: 9, messages: say("hi") };

  it.each([
    ["no key", {}, 401, "authentication_error", "x-api-key header is required"],
    ["no version", { "x-api-key": "key" }, 400, "invalid_request_error", "anthropic-version: header is required"],
  ])("refuses a request with %s", async (_, given, status, type, message) => {
    expect(await post(url(), body, given)).toMatchObject({ status, body: { type: "error", error: { type, message } } });
  });

  it("takes either header for the key, and only known keys where there are some", async () => {
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

  it("refuses what is no JSON, no object, or names no model", async () => {
    expect(await post(url(), "{", headers)).toMatchObject({ status: 400 });
    expect(() => readBody([])).toThrow("Input should be a valid dictionary or object to extract fields from");
    expect(await post(url(), {}, headers)).toMatchObject({ body: { error: { message: "model: Field required" } } });
  });

  it("refuses a body over 32 MB", async () => {
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

  it("is the same with a query", async () => {
    expect((await post(`${url()}?beta=true`, body, headers)).status).toBe(200);
  });
});
