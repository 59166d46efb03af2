import { describe, expect, it } from "vitest";
import type { Output } from "../core/compose.ts";
import { completionOf, eventsOf, finishReason, usageOf } from "./reply.ts";

const output: Output = { text: "hi", calls: [], stop: "end", tokens: 9 };
const completion = (made: Output) =>
  completionOf({ id: "chatcmpl-1", model: "gpt-4o", created: 5, output: made, usage: { a: 1 } });

it("returns a whole completion", () => {
  expect(completion(output)).toEqual({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 5,
    model: "gpt-4o",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: "hi", refusal: null, annotations: [] },
        logprobs: null,
        finish_reason: "stop",
      },
    ],
    usage: { a: 1 },
    service_tier: "default",
    system_fingerprint: "fp_simulator",
  });
});

it("returns calls without content, and refusals separately", () => {
  const call = { id: "s1_x", name: "read", input: { a: 1 } };
  expect(completion({ ...output, text: "", calls: [call], stop: "calls" })).toMatchObject({
    choices: [
      {
        message: {
          content: null,
          tool_calls: [{ id: "call_s1_x", type: "function", function: { name: "read", arguments: '{"a":1}' } }],
        },
        finish_reason: "tool_calls",
      },
    ],
  });
  expect(completion({ ...output, text: "no", stop: "refusal" })).toMatchObject({
    choices: [{ message: { content: null, refusal: "no" } }],
  });
  expect(completion({ ...output, text: "" })).toMatchObject({ choices: [{ message: { content: "" } }] });
  expect(finishReason({ ...output, stop: "window" })).toBe("length");
});

it("reports usage with details that are part of the totals", () => {
  const thinking = { text: "", isRedacted: false, tokens: 4 };
  expect(usageOf({ total: 100, read: 60, written: 30 }, { ...output, thinking })).toEqual({
    prompt_tokens: 100,
    completion_tokens: 9,
    total_tokens: 109,
    prompt_tokens_details: { cached_tokens: 60, audio_tokens: 0, cache_write_tokens: 30 },
    completion_tokens_details: {
      reasoning_tokens: 4,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  });
});

describe("stream", () => {
  const output: Output = {
    text: "hello",
    calls: [{ id: "s1_x", name: "read", input: { a: 1 } }],
    stop: "calls",
    tokens: 9,
  };
  const stream = (made: Output, includesUsage = false) =>
    eventsOf(
      { id: "c", model: "gpt-4o", created: 5, output: made, usage: { total_tokens: 3 } },
      { deltaChars: 4, includesUsage },
    ).map(({ data = "" }) => (data === "[DONE]" ? data : JSON.parse(data)));

  it("streams role, text, calls with their index, finish reason, and the end", () => {
    const chunks = stream(output);
    expect(chunks.at(-1)).toBe("[DONE]");
    expect(chunks.slice(0, -1).map(({ choices }) => choices[0].delta)).toEqual([
      { role: "assistant", content: "", refusal: null },
      { content: "hell" },
      { content: "o" },
      { tool_calls: [{ index: 0, id: "call_s1_x", type: "function", function: { name: "read", arguments: "" } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] },
      { tool_calls: [{ index: 0, function: { arguments: ":1}" } }] },
      {},
    ]);
    expect(chunks.at(-2).choices[0].finish_reason).toBe("tool_calls");
    expect(chunks.slice(0, -2).every(({ choices }) => choices[0].finish_reason === null)).toBe(true);
    expect(chunks[0]).toMatchObject({ id: "c", object: "chat.completion.chunk", created: 5, model: "gpt-4o" });
  });

  it("sends usage in a last chunk without choices if requested, and null before", () => {
    const chunks = stream(output, true);
    expect(chunks.at(-2)).toMatchObject({ choices: [], usage: { total_tokens: 3 } });
    expect(chunks[0].usage).toBeNull();
    expect(stream(output)[0]).not.toHaveProperty("usage");
  });

  it("streams a refusal separately from content", () => {
    const deltas = stream({ ...output, calls: [], stop: "refusal" })
      .slice(0, 2)
      .map(({ choices }) => choices[0].delta);
    expect(deltas).toEqual([{ role: "assistant", content: null, refusal: null }, { refusal: "hell" }]);
  });
});
