import { findModel } from "@longhaul/models/catalog";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import { makeWorld } from "../core/world.ts";
import { makeCall } from "../testing/make.ts";
import { answerChat, checkDetails, checkReasoning, isReasoning, reasoningDetails } from "./answer.ts";

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

describe("reasoning", () => {
  const world = makeWorld({});
  const [CLAUDE, GEMINI, GPT, KIMI] = [
    "anthropic/claude-sonnet-4.5",
    "google/gemini-3.5-flash",
    "openai/gpt-5",
    "moonshotai/kimi-k2.6",
  ] as const;
  const modelOf = (id: string) => findModel(world.catalog, id, "openrouter").model;
  const thinking = { text: "hm", isRedacted: false, tokens: 4 };

  it("requires effort or tokens, not both", () => {
    expect(() => checkReasoning({ reasoning: { effort: "low" } })).not.toThrow();
    expect(() => checkReasoning({ reasoning: { effort: "low", max_tokens: 9 } })).toThrow(
      'Only one of "reasoning.effort" and "reasoning.max_tokens" can be specified',
    );
    expect(() => checkReasoning({ reasoning: {}, reasoning_effort: "low" })).toThrow(/can be specified$/);
  });

  it.each([
    [{}, false, false],
    [{}, true, true],
    [{ reasoning: { effort: "none" } }, true, false],
    [{ reasoning: { effort: "low" } }, false, true],
    [{ reasoning: { enabled: false } }, true, false],
    [{ reasoning: { max_tokens: 9 } }, false, true],
    [{ reasoning_effort: "high" }, false, true],
  ])("returns for %j (default: %s) whether to reason", (body, isByDefault, reasons) => {
    expect(isReasoning(body, isByDefault)).toBe(reasons);
  });

  const detailsOf = (id: string, isRedacted = false) =>
    reasoningDetails({ ...thinking, isRedacted }, { model: modelOf(id), callId: "call_1", world });

  /** Sends details back with the call that they led to. */
  function sendBack(id: string, details: readonly JsonObject[], body: JsonObject = {}): void {
    const message = { role: "assistant", reasoning_details: details, tool_calls: [{ id: "call_1" }] };
    checkDetails({ messages: [{ role: "user" }, message], ...body }, modelOf(id), world);
  }

  it.each([
    [CLAUDE, ["reasoning.text"]],
    [GEMINI, ["reasoning.text", "reasoning.encrypted"]],
    [GPT, ["reasoning.summary", "reasoning.encrypted"]],
    [KIMI, ["reasoning.text"]],
  ])("returns %s's reasoning as %j, and accepts it back", (id, types) => {
    expect(detailsOf(id).map(({ type }) => type)).toEqual(types);
    expect(() => sendBack(id, detailsOf(id))).not.toThrow();
    expect(detailsOf(id, true).map(({ type }) => type)).toEqual(["reasoning.encrypted"]);
  });

  it.each([CLAUDE, GEMINI, GPT])("rejects changed reasoning of %s, with the provider's message", (id) => {
    const [first = {}, ...rest] = detailsOf(id);
    const changes = [{ text: "other" }, { summary: "other" }, { format: "other" }, { index: 1 }, { id: "other" }];
    for (const change of changes) {
      expect(() => sendBack(id, [{ ...first, ...change }, ...rest])).toThrow(
        expect.objectContaining({
          status: 400,
          message: "Provider returned error",
          details: { type: expect.stringContaining("messages.1.content.0: Invalid `signature` in `thinking` block") },
        }),
      );
    }
  });

  it("rejects calls without their reasoning if the provider does", () => {
    const refused = { message: "Provider returned error" };
    expect(() => sendBack(GEMINI, [])).toThrow(expect.objectContaining(refused));
    expect(() => sendBack(KIMI, [], { reasoning: { effort: "high" } })).toThrow(expect.objectContaining(refused));
    expect(() => sendBack(KIMI, [], { reasoning: { effort: "none" } })).not.toThrow();
    expect(() => sendBack(CLAUDE, [])).not.toThrow();
  });

  it("accepts Google's placeholder signature on the first call", () => {
    const placeholder = { type: "reasoning.encrypted", data: "skip_thought_signature_validator", id: "call_1" };
    expect(() => sendBack(GEMINI, [placeholder])).not.toThrow();
    expect(() => sendBack(GEMINI, [{ ...placeholder, id: "call_2" }])).toThrow("Provider returned error");
    expect(() => sendBack(CLAUDE, [placeholder])).toThrow("Provider returned error");
  });
});
