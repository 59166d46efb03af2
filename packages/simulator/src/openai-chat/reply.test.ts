import { expect, it } from "vitest";
import type { Output } from "../core/limit.ts";
import { completionOf, finishReason, usageOf } from "./reply.ts";

const output: Output = { text: "hi", calls: [], stop: "end", tokens: 9 };
const completion = (made: Output) =>
  completionOf({ id: "chatcmpl-1", model: "gpt-4o", created: 5, output: made, usage: { a: 1 } });

it("writes a whole completion", () => {
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

it("writes calls without content and refusals apart", () => {
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

it("reports usage with details that are part of the sums", () => {
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
