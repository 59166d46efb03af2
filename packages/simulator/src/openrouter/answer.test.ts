import { findModel } from "@longhaul/models/catalog";
import { expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import { makeWorld } from "../core/world.ts";
import { makeCall } from "../testing/make.ts";
import { answerChat } from "./answer.ts";

const world = makeWorld({ now: () => 5_000 });
const MODEL = "anthropic/claude-sonnet-4.6";

function answer(given: JsonObject, window?: number) {
  const body = { model: MODEL, messages: [{ role: "user", content: "hello" }], ...given };
  const { model } = findModel(world.catalog, MODEL, "openrouter");
  return answerChat(
    { body, model: { ...model, ...(window !== undefined && { window }) }, credential: "key" },
    makeCall(),
    world,
  );
}
const chunksOf = (reply: ReturnType<typeof answer>) =>
  reply.kind === "stream"
    ? reply.events.map(({ data, comment }) => comment ?? (data === "[DONE]" ? data : JSON.parse(data ?? "")))
    : [];

it("answers like OpenAI, with provider, native finish reason and cost", () => {
  expect(answer({})).toMatchObject({
    status: 200,
    body: {
      id: expect.stringMatching(/^gen-/),
      provider: "Simulator",
      choices: [
        {
          finish_reason: "stop",
          native_finish_reason: "stop",
          message: { content: "You said: hello", reasoning: null },
        },
      ],
      usage: { cost: expect.any(Number) },
    },
  });
});

it("shows reasoning if requested, unless it is excluded", () => {
  const message = {
    reasoning: expect.any(String),
    reasoning_details: [{ type: "reasoning.text", signature: expect.any(String) }],
  };
  expect(answer({ reasoning: { effort: "low" } })).toMatchObject({ body: { choices: [{ message }] } });
  expect(answer({ reasoning: { effort: "low", exclude: true } })).toMatchObject({
    body: { choices: [{ message: { reasoning: null } }] },
  });
});

it("streams comments, reasoning, text and usage", () => {
  const chunks = chunksOf(answer({ stream: true, reasoning: { max_tokens: 2_000 } }));
  expect(chunks.slice(0, 2)).toEqual(["OPENROUTER PROCESSING", "OPENROUTER PROCESSING"]);
  expect(chunks[3].choices[0].delta).toMatchObject({
    reasoning: expect.any(String),
    reasoning_details: [{ type: "reasoning.text" }],
  });
  expect(chunks.at(-2)).toMatchObject({ choices: [], usage: { cost: expect.any(Number) } });
  expect(chunks.at(-1)).toBe("[DONE]");
  expect(chunksOf(answer({ stream: true }))[3].choices[0].delta).toEqual({ content: expect.any(String) });
});

it("accepts other vendors' cache marks", () => {
  const content = [{ type: "text", text: "hi", cache_control: { type: "ephemeral" } }];
  expect(() => answer({ messages: [{ role: "user", content }] })).not.toThrow();
});

it("rejects a prompt that does not fit, with its own message", () => {
  expect(() => answer({ messages: [{ role: "user", content: "word ".repeat(500) }], max_tokens: 50 }, 400)).toThrow(
    expect.objectContaining({
      status: 400,
      message: expect.stringMatching(
        /^This endpoint's maximum context length is 400 tokens\. However, you requested about \d+ tokens \(\d+ of text input, 50 in the output\)\. Please reduce the length of either one, or use the "middle-out" transform to compress your prompt automatically\.$/,
      ),
      details: { code: "context_length_exceeded" },
    }),
  );
});
