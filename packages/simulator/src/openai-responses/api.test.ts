import OpenAI, { BadRequestError, NotFoundError } from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Rejection } from "../core/api.ts";
import { isObject, type JsonObject, objectIn, objectsIn } from "../core/json.ts";
import { makeWorld } from "../core/world.ts";
import { openSimulator, type Simulator } from "../simulator.ts";
import { makeCall, makeResponsesRequest } from "../testing/make.ts";
import {
  answerResponses,
  compactItems,
  countInput,
  deleteResponse,
  responsesDialect,
  retrieveResponse,
  storeResponse,
} from "./api.ts";
import type { FinishedResponse } from "./reply.ts";

let simulator: Simulator;
let client: OpenAI;

beforeAll(async () => {
  simulator = await openSimulator({ models: { "gpt-5-mini": { window: 2_000, maxInput: 1_500 } } });
  client = new OpenAI({ baseURL: `${simulator.url}/v1`, apiKey: "key", maxRetries: 0 });
});
afterAll(() => simulator.close());

const tools = [
  { type: "function" as const, name: "read", parameters: { type: "object", properties: {} }, strict: false },
];
const include = ["reasoning.encrypted_content" as const];

describe("OpenAI's SDK", () => {
  it("gets a response and retrieves it again", async () => {
    const response = await client.responses.create({ model: "gpt-5", input: "hello" });
    expect(response.output_text).toBe("You said: hello");
    expect((await client.responses.retrieve(response.id)).output).toEqual(response.output);
    await client.responses.delete(response.id);
    await expect(client.responses.retrieve(response.id)).rejects.toThrow(NotFoundError);
  });

  it("streams reasoning, text and parallel calls into the same response as without streaming", async () => {
    const body = {
      model: "gpt-5",
      input: 'simulate: call read {"path":"é"}\nsimulate: call read\nsimulate: comment Looking at two files.',
      tools,
      include,
      reasoning: { summary: "auto" as const },
    };
    const whole = await client.responses.create(body);
    const streamed = await client.responses.stream(body).finalResponse();
    const plain = (output: readonly object[]) =>
      JSON.parse(JSON.stringify(output, (key, value) => (key.startsWith("parsed") ? undefined : value)));
    expect(plain(streamed.output)).toEqual(plain(whole.output));
    expect(whole.output.map(({ type }) => type)).toEqual(["reasoning", "message", "function_call", "function_call"]);
    expect(streamed.usage).toEqual(whole.usage);
  });

  it("runs a tool loop without storing, with encrypted reasoning", async () => {
    const input: OpenAI.Responses.ResponseInput = [
      { role: "user", content: "simulate: call read\nsimulate: times 3\nsimulate: say done" },
    ];
    let text = "";
    for (let step = 0; step < 4; step += 1) {
      const response = await client.responses.create({ model: "gpt-5", input, tools, include, store: false });
      input.push(...(response.output as OpenAI.Responses.ResponseInput));
      for (const item of response.output)
        if (item.type === "function_call")
          input.push({ type: "function_call_output", call_id: item.call_id, output: "text" });
      text = response.output_text;
    }
    expect([text, input.length]).toEqual(["done", 12]);
  });

  it("continues by reference", async () => {
    const first = await client.responses.create({ model: "gpt-5", input: "simulate: call read", tools });
    const call = first.output.find((item) => item.type === "function_call");
    const second = await client.responses.create({
      model: "gpt-5",
      previous_response_id: first.id,
      input: [{ type: "function_call_output", call_id: call?.call_id ?? "", output: "text" }],
      tools,
    });
    expect(second.output.map(({ type }) => type)).toEqual(["reasoning", "message"]);
  });

  it("counts and compacts", async () => {
    const { input_tokens } = await client.responses.inputTokens.count({ model: "gpt-5", input: "hello" });
    expect(input_tokens).toBeGreaterThan(0);
    const compacted = await client.responses.compact({ model: "gpt-5", input: "look at src/a.ts" });
    expect(compacted.output.map(({ type }) => type)).toEqual(["message", "compaction"]);
  });

  it("recognizes the errors, with a status and inside a stream", async () => {
    const input = "word ".repeat(3_000);
    await expect(client.responses.create({ model: "gpt-5-mini", input })).rejects.toThrow(BadRequestError);
    await expect(client.responses.create({ model: "gpt-nope", input })).rejects.toThrow(NotFoundError);
    const stream = await client.responses.create({ model: "gpt-5-mini", input, stream: true });
    await expect(async () => {
      for await (const _ of stream);
    }).rejects.toThrow(/Your input exceeds the context window of this model/);
    expect(simulator.requests().at(-1)?.rejected).toMatchObject({ status: 400, code: "context_length_exceeded" });
  });
});

describe("errors", () => {
  it("returns errors like OpenAI's other APIs, and as an event in streams", () => {
    const rejection = new Rejection(500, "m", { code: "c" });
    expect(responsesDialect.error(rejection, "r").body).toMatchObject({ error: { message: "m", code: "c" } });
    expect(responsesDialect.streamError(rejection)).toEqual([
      { event: "error", data: '{"type":"error","code":"c","message":"m","param":null,"sequence_number":0}' },
    ]);
  });
});

const OVERFLOW = "Your input exceeds the context window of this model. Please adjust your input and try again.";

function open() {
  const world = makeWorld({ models: { "gpt-5": { window: 1_200, maxInput: 1_000 } } });
  return (body: JsonObject, act = answerResponses) => {
    const request = makeResponsesRequest(body);
    const call = makeCall({ seed: JSON.stringify(body) });
    const model = world.catalog.models.find(({ id }) => id === request.model.id) ?? request.model;
    const reply = act({ ...request, model }, call, world);
    return { reply, body: reply.kind === "json" && isObject(reply.body) ? reply.body : {}, record: call.record };
  };
}
const long = "word ".repeat(2_000);

it("counts as many tokens as it bills", () => {
  const answer = open();
  const counted = answer({ input: "hello" }, countInput).body;
  expect(counted).toEqual({
    object: "response.input_tokens",
    input_tokens: objectIn(answer({ input: "hello" }).body.usage).input_tokens,
  });
});

it("rejects input over the window with a status, or inside the stream", () => {
  const answer = open();
  expect(() => answer({ input: long })).toThrow(
    expect.objectContaining({
      status: 400,
      message: OVERFLOW,
      details: { param: "input", code: "context_length_exceeded" },
    }),
  );
  const { reply, record } = answer({ input: long, stream: true });
  expect(reply.kind === "stream" && reply.events.map(({ event }) => event)).toEqual([
    "response.created",
    "response.in_progress",
    "error",
    "response.failed",
  ]);
  expect(record.rejection).toMatchObject({ status: 400, message: OVERFLOW });
});

it("drops items from the beginning with truncation", () => {
  const input = [
    { role: "user", content: long },
    { role: "user", content: "hello" },
  ];
  const { body } = open()({ input, truncation: "auto" });
  expect(body.status).toBe("completed");
  expect(Number(objectIn(body.usage).input_tokens)).toBeLessThan(20);
});

it("continues from a stored response, but not from an unstored one", () => {
  const answer = open();
  const first = answer({ input: "one" }).body;
  const second = answer({ input: "two", previous_response_id: first.id }).body;
  expect(Number(objectIn(second.usage).input_tokens)).toBeGreaterThan(Number(objectIn(first.usage).input_tokens));
  const unstored = answer({ input: "three", store: false }).body;
  expect(() => answer({ input: "four", previous_response_id: unstored.id })).toThrow(/not found/);
});

it("compacts to the user's messages and one item", () => {
  const answer = open();
  const input = [
    { role: "user", content: "look at src/a.ts" },
    { role: "assistant", content: [{ type: "output_text", text: "done" }] },
    { role: "user", content: [{ type: "input_text", text: "and b?" }] },
  ];
  const { body, record } = answer({ input }, compactItems);
  expect(body).toMatchObject({ object: "response.compaction", usage: { output_tokens: expect.any(Number) } });
  const output = objectsIn(body.output);
  expect(output.map(({ type, role }) => role ?? type)).toEqual(["user", "user", "compaction"]);
  expect(record.compactions).toBe(1);
  const next = answer({ input: [...output, { role: "user", content: "go on" }] }).body;
  expect(next.status).toBe("completed");
  expect(() => answer({ input: long }, compactItems)).toThrow(OVERFLOW);
});

const reasoning = { id: "rs_1", type: "reasoning" };
const message = { id: "msg_1", type: "message" };
const finished: FinishedResponse = {
  id: "resp_1",
  created: 5,
  body: { model: "gpt-5" },
  output: [reasoning, message],
  status: "completed",
  usage: null,
  error: null,
};
const user = { role: "user", content: "hi" };

it("stores items and the reasoning that led to them", () => {
  const world = makeWorld({});
  storeResponse({ finished, items: [user] }, world);
  expect(world.stored.get("resp_1")?.items).toEqual([user, reasoning, message]);
  expect([...world.storedItems]).toEqual([
    ["rs_1", { item: reasoning }],
    ["msg_1", { item: message, requires: "rs_1" }],
  ]);
});

it("returns stored responses and deletes them", () => {
  const world = makeWorld({});
  storeResponse({ finished, items: [user] }, world);
  const call = makeCall({ params: ["resp_1"] });
  expect(retrieveResponse(call, world)).toMatchObject({ status: 200, body: { id: "resp_1" } });
  expect(deleteResponse(call, world)).toMatchObject({ body: { deleted: true } });
  expect(() => retrieveResponse(call, world)).toThrow(
    expect.objectContaining({ status: 404, message: "Response with id 'resp_1' not found." }),
  );
});
