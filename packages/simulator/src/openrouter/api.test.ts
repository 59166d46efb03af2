import OpenAI from "openai";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Rejection } from "../core/api.ts";
import { openSimulator, type Simulator } from "../simulator.ts";
import { post } from "../testing/post.ts";
import { openrouterDialect } from "./api.ts";

const MODEL = "anthropic/claude-sonnet-4.6";
let simulator: Simulator;
beforeAll(async () => {
  simulator = await openSimulator();
});
afterAll(() => simulator.close());

const messages = [{ role: "user" as const, content: "hello" }];
const url = () => `${simulator.url}/api/v1/chat/completions`;
const headers = { authorization: "Bearer key" };

it("works with OpenAI's SDK, including comments", async () => {
  const client = new OpenAI({ baseURL: `${simulator.url}/api/v1`, apiKey: "key", maxRetries: 0 });
  const whole = await client.chat.completions.create({ model: MODEL, messages });
  expect(whole.choices[0]?.message.content).toBe("You said: hello");
  let text = "";
  for await (const chunk of await client.chat.completions.create({ model: MODEL, messages, stream: true }))
    text += chunk.choices[0]?.delta.content ?? "";
  expect(text).toBe("You said: hello");
  expect(simulator.requests().at(-1)).toMatchObject({ api: "openrouter", model: MODEL, isStream: true });
});

it("fails inside a stream with status 200", async () => {
  const response = await fetch(url(), {
    method: "POST",
    headers: { ...headers, "x-simulate-fault": "error-event=502" },
    body: JSON.stringify({ model: MODEL, messages, stream: true }),
  });
  expect(response.status).toBe(200);
  expect(await response.text()).toMatch(/"finish_reason":"error"\}\]\}\n\n$/);
});

it.each([
  ["no key", { model: MODEL, messages }, {}, 401, "No cookie auth credentials found"],
  ["no model", { messages }, headers, 400, "No models provided"],
  [
    "an unknown model",
    { model: "anthropic/claude-nope", messages },
    headers,
    400,
    "anthropic/claude-nope is not a valid model ID",
  ],
  ["no JSON", "{", headers, 400, "Invalid JSON in request body"],
])("rejects %s", async (_, body, given, status, message) => {
  expect(await post(url(), body, given)).toMatchObject({ status, body: { error: { code: status, message } } });
});

it("accepts only known keys if any are set, and lists models", async () => {
  const strict = await openSimulator({ keys: ["right"] });
  expect((await post(`${strict.url}/api/v1/chat/completions`, { model: MODEL, messages }, headers)).status).toBe(401);
  await strict.close();
  const list = (await (await fetch(`${simulator.url}/api/v1/models`)).json()) as { data: { id: string }[] };
  expect(list.data.find(({ id }) => id === MODEL)).toMatchObject({
    context_length: 1_000_000,
    reasoning: { mandatory: false },
  });
});

it("repeats the status as code and has its own types", () => {
  expect(openrouterDialect.error(new Rejection(400, "m", { code: "context_length_exceeded" }), "r").body).toEqual({
    error: { message: "m", code: 400, metadata: { error_type: "context_length_exceeded" } },
  });
  expect(openrouterDialect.error(new Rejection(529, "m"), "r").body).toMatchObject({
    error: { metadata: { error_type: "provider_overloaded" } },
  });
  expect(openrouterDialect.error(new Rejection(418, "m"), "r").body).toMatchObject({
    error: { metadata: { error_type: "unknown" } },
  });
});

it("shows the provider's error", () => {
  const rejection = new Rejection(400, "Provider returned error", { type: '{"a":1}' });
  expect(openrouterDialect.error(rejection, "r").body).toMatchObject({
    error: { metadata: { raw: { a: 1 }, provider_name: "Anthropic" } },
  });
});

it("sends an error inside a stream in a chunk whose choice ended with it", () => {
  const [event] = openrouterDialect.streamError(new Rejection(502, "m"));
  expect(JSON.parse(event?.data ?? "")).toMatchObject({
    error: { code: 502, message: "m" },
    choices: [{ finish_reason: "error", delta: { content: "" } }],
  });
});
