import OpenAI, { BadRequestError, NotFoundError } from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Rejection } from "../core/rejection.ts";
import { openSimulator, type Simulator } from "../simulator.ts";
import { responsesDialect } from "./api.ts";

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
  it("gets a response and looks it up again", async () => {
    const response = await client.responses.create({ model: "gpt-5", input: "hello" });
    expect(response.output_text).toBe("You said: hello");
    expect((await client.responses.retrieve(response.id)).output).toEqual(response.output);
    await client.responses.delete(response.id);
    await expect(client.responses.retrieve(response.id)).rejects.toThrow(NotFoundError);
  });

  it("streams reasoning, text and parallel calls into the same response that it gets whole", async () => {
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

  it("goes through a loop of tools without storing, with encrypted reasoning", async () => {
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

  it("knows the errors, with a status and inside a stream", async () => {
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
  it("says errors as all of OpenAI, and in streams as an event", () => {
    const rejection = new Rejection(500, "m", { code: "c" });
    expect(responsesDialect.error(rejection, "r").body).toMatchObject({ error: { message: "m", code: "c" } });
    expect(responsesDialect.streamError(rejection)).toEqual([
      { event: "error", data: '{"type":"error","code":"c","message":"m","param":null,"sequence_number":0}' },
    ]);
  });
});
