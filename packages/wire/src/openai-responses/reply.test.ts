import type { Reply } from "@longhaul/conversation/advanced";
import {
  makeCompaction,
  makeImage,
  makeOpaque,
  makeText,
  makeToolCall,
  makeUsage,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyUsage } from "../testing/any-reply.ts";
import { decodeReply, decodeUsage, encodeOutputBlock, encodeReply, encodeUsage } from "./reply.ts";

function makeReply(fields: Partial<Reply> = {}): Reply {
  return { id: "r", model: "m", blocks: [makeText("Hi.")], stopReason: "end", usage: makeUsage(), ...fields };
}

describe("encodeReply", () => {
  it("encodes a reply of another format", () => {
    expect(encodeReply(makeReply(), { createdSeconds: 7 })).toEqual({
      id: "r",
      object: "response",
      created_at: 7,
      status: "completed",
      model: "m",
      error: null,
      incomplete_details: null,
      instructions: null,
      metadata: {},
      output: [
        {
          id: "msg_r_0",
          type: "message",
          status: "completed",
          role: "assistant",
          content: [{ type: "output_text", text: "Hi.", annotations: [], logprobs: [] }],
        },
      ],
      parallel_tool_calls: true,
      temperature: null,
      tool_choice: "auto",
      tools: [],
      top_p: null,
      usage: expect.objectContaining({ input_tokens: 100, output_tokens: 20, total_tokens: 120 }),
    });
  });

  it("reports an incomplete reply with its reason", () => {
    const state = (stopReason: Reply["stopReason"]) => {
      const { status, incomplete_details } = encodeReply(makeReply({ stopReason }));
      return [status, incomplete_details];
    };
    expect(state("length")).toEqual(["incomplete", { reason: "max_output_tokens" }]);
    expect(state("context-exceeded")).toEqual(["incomplete", { reason: "max_output_tokens" }]);
    expect(state("refusal")).toEqual(["incomplete", { reason: "content_filter" }]);
    expect(state("tool-calls")).toEqual(["completed", null]);
  });
});

describe("encodeOutputBlock", () => {
  it("writes a Gemini signature as reasoning before its call", () => {
    expect(encodeOutputBlock(makeToolCall("a", { signature: "AAAA" }), "r_0")).toEqual([
      { id: "rs_r_0", type: "reasoning", summary: [], encrypted_content: "longhaul/google/AAAA" },
      {
        id: "fc_r_0",
        type: "function_call",
        call_id: "a",
        name: "read_file",
        arguments: '{"path":"src/main.ts"}',
        status: "completed",
      },
    ]);
  });

  it("writes a tool of a namespace with both names", () => {
    const call = { type: "function_call", call_id: "a", name: "find", namespace: "notes", arguments: "{}" };
    const { blocks } = decodeReply({ status: "completed", output: [call] });
    expect(blocks).toMatchObject([{ type: "tool-call", name: "notes/find" }]);
    expect(encodeOutputBlock(makeToolCall("a", { name: "notes/find", input: {} }), "s")).toMatchObject([call]);
  });

  it("writes free text and drops blocks that the format cannot express", () => {
    expect(encodeOutputBlock(makeToolCall("a", { input: "free" }), "s")).toMatchObject([
      { type: "custom_tool_call", input: "free" },
    ]);
    expect(encodeOutputBlock(makeToolCall("a", { input: "{oops", freeText: false }), "s")).toMatchObject([
      { type: "function_call", arguments: "{oops" },
    ]);
    expect([makeImage(), makeOpaque(), makeCompaction()].flatMap((block) => encodeOutputBlock(block, "s"))).toEqual([]);
    const own = { type: "web_search_call", id: "ws" };
    expect(
      encodeOutputBlock(
        { type: "opaque", kind: "web_search_call", native: { wire: "openai-responses", value: own } },
        "s",
      ),
    ).toEqual([own]);
    expect(encodeOutputBlock({ type: "compaction", text: null, encrypted: "e", vendor: "openai" }, "s")).toEqual([
      { id: "cmp_s", type: "compaction", encrypted_content: "e" },
    ]);
  });
});

describe("decodeReply", () => {
  it("derives the stop reason from the status and the content", () => {
    const stop = (fields: object) => decodeReply({ output: [], status: "completed", ...fields }).stopReason;
    expect(stop({})).toBe("end");
    expect(stop({ output: [{ type: "function_call", call_id: "1", name: "f", arguments: "{}" }] })).toBe("tool-calls");
    expect(stop({ output: [{ type: "message", content: [{ type: "refusal", refusal: "no" }] }] })).toBe("refusal");
    expect(stop({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } })).toBe("length");
    expect(stop({ status: "incomplete", incomplete_details: { reason: "content_filter" } })).toBe("refusal");
    expect(stop({ status: "incomplete", incomplete_details: { reason: "steered" } })).toBe("other");
  });

  it("throws the error of a failed response and keeps any other reply unchanged", () => {
    expect(() => decodeReply({ status: "failed", error: { code: "server_error", message: "Oops" } })).toThrow(
      expect.objectContaining({ code: "upstream.broken", message: "Oops" }),
    );
    const body = { id: "r", status: "completed", output: [], background: false };
    expect(encodeReply(decodeReply(body))).toBe(body);
  });
});

it("round-trips usage, with cached tokens included in the prompt", () => {
  fc.assert(
    fc.property(anyUsage(), (usage) => {
      expect(decodeUsage(encodeUsage(usage))).toEqual(usage);
    }),
  );
  expect(encodeUsage({ inputTokens: 10, cacheReadTokens: 5, cacheWriteTokens: 3, outputTokens: 2 })).toEqual({
    input_tokens: 18,
    input_tokens_details: { cached_tokens: 5, cache_write_tokens: 3 },
    output_tokens: 2,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 20,
  });
  expect(decodeUsage(undefined)).toEqual({ inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 });
});
