import OpenAI, { AuthenticationError, BadRequestError, NotFoundError } from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import { makeWorld } from "../core/world.ts";
import { openSimulator, type Simulator } from "../simulator.ts";
import { makeCall, makeChatRequest } from "../testing/make.ts";
import { post } from "../testing/post.ts";
import { answerChat } from "./api.ts";

let simulator: Simulator;
let client: OpenAI;

beforeAll(async () => {
  simulator = await openSimulator({ models: { "gpt-4o-mini": { window: 2_000 }, "local-model": { window: 4_096 } } });
  client = new OpenAI({ baseURL: `${simulator.url}/v1`, apiKey: "key", maxRetries: 0 });
});
afterAll(() => simulator.close());

const say = (content: string) => [{ role: "user" as const, content }];
const tools = [
  { type: "function" as const, function: { name: "read", parameters: { type: "object", properties: {} } } },
];

describe("OpenAI's SDK", () => {
  it("gets a completion, also from a model defined in the options", async () => {
    const completion = await client.chat.completions.create({ model: "gpt-4o", messages: say("hello") });
    expect(completion.choices[0]?.message.content).toBe("You said: hello");
    const local = await client.chat.completions.create({ model: "local-model", messages: say("hello") });
    expect(local.model).toBe("local-model");
  });

  it("streams text and parallel calls into the same completion as without streaming", async () => {
    const messages = say(
      'simulate: call read {"path":"é"}\nsimulate: call read {"path":"b"}\nsimulate: comment Looking at two files.',
    );
    const whole = await client.chat.completions.create({ model: "gpt-4o", messages, tools });
    const stream = client.chat.completions.stream({
      model: "gpt-4o",
      messages,
      tools,
      stream_options: { include_usage: true },
    });
    const streamed = await stream.finalChatCompletion();
    const plain = ({ choices, usage }: OpenAI.ChatCompletion) => ({
      content: choices[0]?.message.content,
      reason: choices[0]?.finish_reason,
      calls: choices[0]?.message.tool_calls?.map((call) =>
        call.type === "function" ? [call.id, call.function.name, call.function.arguments] : [],
      ),
      usage,
    });
    expect(plain(streamed)).toEqual(plain(whole));
    expect(plain(whole)).toMatchObject({ reason: "tool_calls", content: "Looking at two files." });
  });

  it("runs a tool loop", async () => {
    const messages: OpenAI.ChatCompletionMessageParam[] = say(
      "simulate: call read\nsimulate: times 3\nsimulate: say done",
    );
    for (let step = 0; step < 4; step += 1) {
      const { choices } = await client.chat.completions.create({ model: "gpt-5", messages, tools });
      const message = choices[0]?.message;
      if (message === undefined) break;
      messages.push(message);
      for (const { id } of message.tool_calls ?? []) messages.push({ role: "tool", tool_call_id: id, content: "text" });
    }
    expect(messages).toHaveLength(8);
    expect(messages.at(-1)).toMatchObject({ content: "done" });
  });

  it("gets structured output", async () => {
    const schema = {
      type: "object",
      properties: { ok: { type: "boolean" } },
      required: ["ok"],
      additionalProperties: false,
    };
    const { choices } = await client.chat.completions.create({
      model: "gpt-4o",
      messages: say("is it?"),
      response_format: { type: "json_schema", json_schema: { name: "answer", strict: true, schema } },
    });
    expect(choices[0]?.message.content).toBe('{"ok":true}');
  });

  it("reads the cache when a prompt grows", async () => {
    const system = { role: "system" as const, content: "word ".repeat(3_000) };
    await client.chat.completions.create({ model: "gpt-4o", messages: [system, ...say("one")] });
    const { usage } = await client.chat.completions.create({ model: "gpt-4o", messages: [system, ...say("two")] });
    expect(usage?.prompt_tokens_details?.cached_tokens).toBeGreaterThan(2_500);
    expect((usage?.prompt_tokens_details?.cached_tokens ?? 1) % 128).toBe(0);
  });

  it("counts reasoning", async () => {
    const { usage } = await client.chat.completions.create({ model: "gpt-5", messages: say("simulate: think 100") });
    expect(usage?.completion_tokens_details?.reasoning_tokens).toBeGreaterThan(80);
  });

  it("recognizes the errors", async () => {
    const create = (body: object) => client.chat.completions.create({ model: "gpt-4o", messages: say("hi"), ...body });
    await expect(create({ model: "gpt-nope" })).rejects.toThrow(NotFoundError);
    await expect(create({ messages: [] })).rejects.toThrow(BadRequestError);
    await expect(create({ model: "gpt-4o-mini", messages: say("word ".repeat(3_000)) })).rejects.toMatchObject({
      status: 400,
      code: "context_length_exceeded",
    });
    const anonymous = new OpenAI({
      baseURL: `${simulator.url}/v1`,
      apiKey: "key",
      maxRetries: 0,
      defaultHeaders: { authorization: null },
    });
    await expect(anonymous.chat.completions.create({ model: "gpt-4o", messages: say("hi") })).rejects.toThrow(
      AuthenticationError,
    );
  });
});

it("rejects a body that is not valid JSON", async () => {
  const reply = await post(`${simulator.url}/v1/chat/completions`, "{", { authorization: "Bearer key" });
  expect(reply).toMatchObject({ status: 400, body: { error: { type: "invalid_request_error" } } });
});

const world = makeWorld({ now: () => 5_000, skew: 1 });
function answer(body: JsonObject, window = 200) {
  const request = makeChatRequest(body);
  const call = makeCall();
  return { reply: answerChat({ ...request, model: { ...request.model, window } }, call, world), record: call.record };
}
const user = (content: string) => ({ role: "user", content });

it("answers, counts and bills", () => {
  const { reply, record } = answer({ messages: [user("hello")] });
  expect(reply).toMatchObject({
    status: 200,
    body: { created: 5, usage: { prompt_tokens: 6 }, choices: [{ message: { content: "You said: hello" } }] },
  });
  expect(record).toMatchObject({ billed: { inputTokens: 6, cacheReadTokens: 0 }, costUsd: expect.any(Number) });
});

it("rejects a prompt over the window, with the share of functions if there are any", () => {
  expect(() => answer({ messages: [user("word ".repeat(300))] })).toThrow(
    expect.objectContaining({
      status: 400,
      message: expect.stringMatching(
        /^This model's maximum context length is 200 tokens\. However, your messages resulted in \d+ tokens\. Please reduce the length of the messages\.$/,
      ),
      details: { param: "messages", code: "context_length_exceeded" },
    }),
  );
  const tools = [{ type: "function", function: { name: "read" } }];
  expect(() => answer({ messages: [user("word ".repeat(300))], tools })).toThrow(
    /resulted in \d+ tokens \(\d+ in the messages, \d+ in the functions\)\. Please reduce the length of the messages or functions\.$/,
  );
});

it("has another message if the model limits the prompt separately", () => {
  const request = makeChatRequest({ messages: [user("word ".repeat(300))] });
  const model = { ...request.model, window: 400, maxInput: 250 };
  expect(() => answerChat({ ...request, model }, makeCall(), world)).toThrow(
    /^Input tokens exceed the configured limit of 250 tokens\. Your messages resulted in \d+ tokens\. Please reduce the length of the messages\.$/,
  );
});

it("rejects a completion that does not fit beside the prompt", () => {
  expect(() => answer({ messages: [user("hello")], max_tokens: 195 })).toThrow(
    "This model's maximum context length is 200 tokens. However, you requested 201 tokens (6 in the messages, 195 in the completion). Please reduce the length of the messages or completion.",
  );
});

it("stops at the end of the window without a limit", () => {
  const { reply } = answer({ messages: [user("simulate: endless")] });
  expect(reply).toMatchObject({ body: { choices: [{ finish_reason: "length" }] } });
});
