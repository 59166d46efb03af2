import type { Reply, StopReason } from "@longhaul/conversation/advanced";
import { makeRedactedThinking, makeText, makeThinking, makeToolCall, makeUsage } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyUsage } from "../testing/any-reply.ts";
import { decodeReply, decodeStopReason, decodeUsage, encodeReply, encodeStopReason, encodeUsage } from "./reply.ts";

function makeReply(fields: Partial<Reply> = {}): Reply {
  return { id: "r", model: "m", blocks: [makeText("Hi.")], stopReason: "end", usage: makeUsage(), ...fields };
}

describe("encodeReply", () => {
  it("encodes a reply of another format", () => {
    expect(encodeReply(makeReply(), { createdSeconds: 7 })).toEqual({
      id: "r",
      object: "chat.completion",
      created: 7,
      model: "m",
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "Hi.", refusal: null },
          logprobs: null,
          finish_reason: "stop",
        },
      ],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 20,
        total_tokens: 120,
        prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      },
    });
  });

  it("writes thinking text in the plain field and signatures in the details", () => {
    const message = (blocks: Reply["blocks"]) => {
      const { choices } = encodeReply(makeReply({ blocks }));
      return Array.isArray(choices) ? choices[0].message : undefined;
    };
    expect(message([{ type: "thinking", text: "hm" }, makeText("a"), makeText("b")])).toEqual({
      role: "assistant",
      content: "ab",
      refusal: null,
      reasoning_content: "hm",
    });
    expect(message([makeThinking("hm", "s"), makeRedactedThinking("d")])).toMatchObject({
      content: null,
      reasoning_content: "hm",
      reasoning_details: [
        { type: "reasoning.text", signature: "s" },
        { type: "reasoning.encrypted", data: "d" },
      ],
    });
    expect(
      message([
        makeToolCall("1", { input: "free" }),
        makeToolCall("2", { input: "{oops", freeText: false, name: "f" }),
      ]),
    ).toMatchObject({
      tool_calls: [
        { type: "custom", custom: { input: "free" } },
        { type: "function", function: { arguments: "{oops" } },
      ],
    });
  });
});

describe("decodeReply", () => {
  it("decodes the first choice and recognizes a refusal", () => {
    const body = {
      id: "r",
      model: "m",
      choices: [{ message: { content: null, refusal: "I can't." }, finish_reason: "stop" }],
      usage: null,
    };
    expect(decodeReply(body)).toMatchObject({ blocks: [{ text: "I can't." }], stopReason: "refusal" });
    expect(encodeReply(decodeReply(body))).toBe(body);
  });

  it("assigns thinking to the vendor in the context", () => {
    const body = { choices: [{ message: { content: "a", reasoning_content: "hm" }, finish_reason: "stop" }] };
    expect(decodeReply(body, { vendor: "deepseek" }).blocks[0]).toMatchObject({ type: "thinking", vendor: "deepseek" });
  });

  it("throws an error inside a 200", () => {
    expect(() => decodeReply({ error: { code: 502, message: "Provider failed" } })).toThrow(
      expect.objectContaining({ code: "upstream.broken", status: 502, message: "Provider failed" }),
    );
  });
});

describe("stop reasons", () => {
  it("are decoded, and calls override a server's stop", () => {
    expect(
      ["stop", "length", "tool_calls", "function_call", "content_filter", "?", null, ""].map((reason) =>
        decodeStopReason(reason, false),
      ),
    ).toEqual(["end", "length", "end", "end", "refusal", "other", "end", "end"]);
    expect(["stop", "tool_calls", "function_call", "?", ""].map((reason) => decodeStopReason(reason, true))).toEqual(
      Array(5).fill("tool-calls"),
    );
    expect(
      ["model_length", "EOS", "sensitive", "content_filter: SPII"].map((word) => decodeStopReason(word, false)),
    ).toEqual(["length", "end", "refusal", "refusal"]);
    expect(decodeStopReason("length", true)).toBe("length");
  });

  it("are encoded with the nearest value", () => {
    const reasons: StopReason[] = [
      "end",
      "length",
      "tool-calls",
      "refusal",
      "context-exceeded",
      "stop-sequence",
      "pause",
      "compaction",
      "other",
    ];
    expect(reasons.map(encodeStopReason)).toEqual([
      "stop",
      "length",
      "tool_calls",
      "content_filter",
      "length",
      "stop",
      "stop",
      "stop",
      "stop",
    ]);
  });
});

it("round-trips usage, with cached tokens included in the prompt", () => {
  fc.assert(
    fc.property(anyUsage(), (usage) => {
      expect(decodeUsage(encodeUsage(usage))).toEqual(usage);
    }),
  );
  expect(encodeUsage({ inputTokens: 10, cacheReadTokens: 5, cacheWriteTokens: 3, outputTokens: 2 })).toEqual({
    prompt_tokens: 18,
    completion_tokens: 2,
    total_tokens: 20,
    prompt_tokens_details: { cached_tokens: 5, cache_write_tokens: 3 },
  });
});

it("decodes DeepSeek's cache field and never returns negative counts", () => {
  expect(decodeUsage({ prompt_tokens: 10, prompt_cache_hit_tokens: 4 })).toMatchObject({
    inputTokens: 6,
    cacheReadTokens: 4,
  });
  expect(decodeUsage({ prompt_tokens: 3, prompt_tokens_details: { cached_tokens: 9 } })).toMatchObject({
    inputTokens: 0,
  });
  expect(decodeUsage(null)).toEqual({ inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 });
});
