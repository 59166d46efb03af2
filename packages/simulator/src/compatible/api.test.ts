import { findModel } from "@longhaul/models/catalog";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import { makeWorld } from "../core/world.ts";
import { openSimulator, type Simulator } from "../simulator.ts";
import { makeCall } from "../testing/make.ts";
import { post } from "../testing/post.ts";
import { answerChat, checkReasoningContent, isThinking } from "./api.ts";

let simulator: Simulator;
beforeAll(async () => {
  simulator = await openSimulator();
});
afterAll(() => simulator.close());

const headers = { authorization: "Bearer key" };
const messages = [{ role: "user", content: "hello" }];
const ask = (body: object, given: Record<string, string> = headers) =>
  post(`${simulator.url}/compatible/v1/chat/completions`, { messages, ...body }, given);

it("serves DeepSeek's and Moonshot's models by their own names", async () => {
  expect(await ask({ model: "deepseek-v4-pro" })).toMatchObject({ status: 200 });
  expect(await ask({ model: "kimi-k2.6" })).toMatchObject({ status: 200 });
  expect(simulator.requests().at(-1)).toMatchObject({ api: "openai-compatible", model: "kimi-k2.6" });
});

it("rejects other models, and requests without a key", async () => {
  expect(await ask({ model: "gpt-4o" })).toMatchObject({
    status: 400,
    body: { error: { message: "Model Not Exist" } },
  });
  expect((await ask({ model: "kimi-k2.6" }, {})).status).toBe(401);
});

const world = makeWorld({});
const { model } = findModel(world.catalog, "deepseek-v4-pro", "deepseek");
const question = { role: "user", content: "simulate: think 40\nsimulate: say Done." };

function answer(body: JsonObject) {
  return answerChat(
    { body: { model: model.id, messages: [question], ...body }, model, credential: "key" },
    makeCall(),
    world,
  );
}

it("returns its reasoning as text, streamed or not", () => {
  const whole = answer({});
  const streamed = answer({ stream: true });
  const message = whole.kind === "json" ? Object(whole.body).choices[0].message : undefined;
  expect(message).toMatchObject({ content: "Done.", reasoning_content: expect.stringMatching(/\w/) });
  const chunks = streamed.kind === "stream" ? streamed.events.map(({ data = "" }) => data) : [];
  const deltas = chunks.filter((data) => data !== "[DONE]").map((data) => JSON.parse(data).choices[0].delta);
  expect(deltas.map(({ reasoning_content }) => reasoning_content ?? "").join("")).toBe(message.reasoning_content);
});

it("returns no reasoning if thinking is off", () => {
  const whole = answer({ reasoning_effort: "none" });
  expect(whole.kind === "json" && Object(whole.body).choices[0].message.reasoning_content).toBeNull();
});

it("requires it with the calls that it led to", () => {
  const calls = [{ id: "call_1", type: "function", function: { name: "read", arguments: "{}" } }];
  const loop = (more: JsonObject) => [
    question,
    { role: "assistant", content: null, tool_calls: calls, ...more },
    { role: "tool", tool_call_id: "call_1", content: "text" },
  ];
  expect(() => answer({ messages: loop({}) })).toThrow(/^Missing `reasoning_content` field/);
  expect(() => answer({ messages: loop({ reasoning_content: "Hm." }) })).not.toThrow();
});

describe("checkThoughts", () => {
  const { catalog } = makeWorld({});
  const deepseek = findModel(catalog, "deepseek-v4-pro").model;
  const kimi = findModel(catalog, "kimi-k2.6").model;
  const call = { role: "assistant", tool_calls: [{ id: "a" }] };

  it("thinks unless it is turned off", () => {
    const bodies = [{}, { reasoning_effort: "high" }, { reasoning_effort: "none" }, { thinking: { type: "disabled" } }];
    expect(bodies.map((body) => isThinking(body, kimi))).toEqual([true, true, false, false]);
  });

  it("rejects calls without their reasoning, with the vendor's message", () => {
    const messages = [{ role: "user" }, { ...call, reasoning_content: "" }, call];
    expect(() => checkReasoningContent({ messages }, deepseek)).toThrow(
      "Missing `reasoning_content` field in the assistant message at message index 2.",
    );
    expect(() => checkReasoningContent({ messages }, kimi)).toThrow(
      "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2",
    );
    expect(() => checkReasoningContent({ messages, reasoning_effort: "none" }, kimi)).not.toThrow();
  });
});
