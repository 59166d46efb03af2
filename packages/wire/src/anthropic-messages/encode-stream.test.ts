import { type JsonObject, LonghaulError, type StreamEvent } from "@longhaul/conversation/advanced";
import { anyText, makeCompaction, makeImage, makeUsage } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ReplyContext, WireEvent } from "../codec/stepper.ts";
import { runStream } from "../testing/stream.ts";
import { blockDelta, encodeStream, textDelta, wholeBlock } from "./encode-stream.ts";

const START: StreamEvent = { type: "reply-start", id: "msg_1", model: "m" };
const END: StreamEvent = { type: "reply-end", stopReason: "end", usage: makeUsage() };

function encode(events: readonly StreamEvent[], context?: ReplyContext): { event: string | undefined; data: object }[] {
  return runStream(encodeStream, events, context).map(({ event, data }: WireEvent) => ({
    event,
    data: JSON.parse(data),
  }));
}

describe("encodeStream", () => {
  it("writes the sequence of named events that SDKs expect", () => {
    const written = encode([
      START,
      { type: "text-start", index: 0 },
      { type: "text-delta", index: 0, text: 'a "b"\n' },
      { type: "ping" },
      { type: "text-end", index: 0 },
      END,
      { type: "ping" },
    ]);
    expect(written.map(({ event }) => event)).toEqual([
      "message_start",
      "content_block_start",
      "content_block_delta",
      "ping",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    for (const { event, data } of written) expect(data).toHaveProperty("type", event);
    expect(written[2]?.data).toEqual({
      type: "content_block_delta",
      index: 0,
      delta: { type: "text_delta", text: 'a "b"\n' },
    });
    expect(written[5]?.data).toEqual({
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { input_tokens: 100, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 20 },
    });
  });

  it("reports the estimated prompt if the upstream has not sent usage yet", () => {
    expect(encode([START], { inputTokens: 4_242 })[0]?.data).toMatchObject({
      message: { usage: { input_tokens: 4_242 } },
    });
    const counted: StreamEvent = { type: "reply-start", id: "r", model: "m", usage: makeUsage() };
    expect(encode([counted], { inputTokens: 4_242 })[0]?.data).toMatchObject({
      message: { usage: { input_tokens: 100 } },
    });
  });

  it("writes interleaved blocks one after the other", () => {
    const written = encode([
      START,
      { type: "tool-call-start", index: 0, id: "a", name: "x" },
      { type: "tool-call-start", index: 1, id: "b", name: "y" },
      { type: "tool-call-delta", index: 1, json: "{" },
      { type: "tool-call-delta", index: 0, json: "{}" },
      { type: "tool-call-delta", index: 1, json: "}" },
      { type: "text-start", index: 2 },
      { type: "tool-call-end", index: 0 },
      { type: "text-delta", index: 2, text: "t" },
      { type: "tool-call-end", index: 1 },
      END,
    ]);
    const blocks = written
      .slice(1, -2)
      .map(({ event, data }) => [event?.slice("content_block_".length), "index" in data && data.index]);
    expect(blocks).toEqual([
      ["start", 0],
      ["delta", 0],
      ["stop", 0],
      ["start", 1],
      ["delta", 1],
      ["delta", 1],
      ["stop", 1],
      ["start", 2],
      ["delta", 2],
      ["stop", 2],
    ]);
  });

  it("sends a signature as a delta, tagged if it is another vendor's", () => {
    const written = encode([
      START,
      { type: "thinking-start", index: 0, vendor: "openai" },
      { type: "thinking-delta", index: 0, text: "hm" },
      { type: "thinking-end", index: 0, signature: "AAAA" },
      { type: "tool-call-start", index: 1, id: "a", name: "x", signature: "BBBB" },
      { type: "tool-call-end", index: 1 },
      END,
    ]);
    const deltas = written.filter(({ event }) => event === "content_block_delta").map(({ data }) => data);
    expect(deltas).toMatchObject([
      { index: 0, delta: { type: "thinking_delta", thinking: "hm" } },
      { index: 0, delta: { type: "signature_delta", signature: expect.stringMatching(/^longhaul\/openai\/+AAAA$/) } },
      { index: 1, delta: { type: "signature_delta", signature: "longhaul/google/BBBB" } },
    ]);
    expect(written.at(-4)?.data).toMatchObject({ index: 2, content_block: { type: "tool_use", input: {} } });
  });

  it("wraps free text as arguments", () => {
    const written = encode([
      START,
      { type: "tool-call-start", index: 0, id: "a", name: "patch", freeText: true },
      { type: "tool-call-delta", index: 0, json: "*** Begin" },
      { type: "tool-call-delta", index: 0, json: " Patch" },
      { type: "tool-call-end", index: 0 },
      END,
    ]);
    expect(written[2]?.data).toMatchObject({ delta: { partial_json: '{"input":"*** Begin Patch"}' } });
  });

  it("writes whole blocks and drops those that the format cannot express", () => {
    const written = encode([
      START,
      { type: "block", index: 0, block: makeCompaction("sum") },
      { type: "block", index: 1, block: makeImage() },
      { type: "block", index: 2, block: { type: "thinking", text: "hm", signature: "s", vendor: "anthropic" } },
      END,
    ]);
    expect(written.slice(1, -2).map(({ data }) => data)).toMatchObject([
      { index: 0, content_block: { type: "compaction", content: null } },
      { index: 0, delta: { type: "compaction_delta", content: "sum" } },
      { index: 0 },
      { index: 1, content_block: { type: "thinking", thinking: "hm" } },
      { index: 1, delta: { type: "signature_delta", signature: "s" } },
      { index: 1 },
    ]);
  });

  it("reports context edits at the end, beside the stop reason", () => {
    const applied = [{ kind: "clear-thinking", clearedTurns: 2, clearedTokens: 900 }] as const;
    const written = encode([START, END], { contextEdits: { applied } });
    expect(written[0]?.data).toMatchObject({ message: { context_management: null } });
    expect(written[1]?.data).toEqual({
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { input_tokens: 100, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 20 },
      context_management: {
        applied_edits: [{ type: "clear_thinking_20251015", cleared_thinking_turns: 2, cleared_input_tokens: 900 }],
      },
    });
    const plain = encode([START, END]);
    expect(plain[0]?.data).not.toHaveProperty("message.context_management");
    expect(plain[1]?.data).not.toHaveProperty("context_management");
  });

  it("replaces the report of an upstream of the same format", () => {
    const native = {
      wire: "anthropic-messages",
      value: { type: "message_delta", delta: {}, usage: { output_tokens: 7 }, context_management: null, new: 1 },
    };
    const written = encode([START, { ...END, native }], { contextEdits: { applied: [] } });
    expect(written[1]?.data).toMatchObject({
      usage: { output_tokens: 7 },
      context_management: { applied_edits: [] },
      new: 1,
    });
  });

  it("starts with the compaction block and numbers later blocks after it", () => {
    const compaction = { block: makeCompaction("So far."), usage: makeUsage(), pausesAfter: false };
    const text: StreamEvent[] = [
      { type: "text-start", index: 0 },
      { type: "text-delta", index: 0, text: "Hi." },
      { type: "text-end", index: 0 },
    ];
    const written = encode([START, ...text, END], { contextEdits: { applied: [], compaction } });
    expect(written.slice(1, -2).map(({ data }) => data)).toMatchObject([
      { index: 0, content_block: { type: "compaction", content: null } },
      { index: 0, delta: { type: "compaction_delta", content: "So far." } },
      { index: 0 },
      { index: 1, content_block: { type: "text" } },
      { index: 1, delta: { text: "Hi." } },
      { index: 1 },
    ]);
    expect(written.at(-2)?.data).toMatchObject({
      usage: { iterations: [{ type: "compaction" }, { type: "message" }] },
      context_management: { applied_edits: [] },
    });
  });

  it("writes native events only to the format that they came from", () => {
    const citation = { type: "content_block_delta", index: 9, delta: { type: "citations_delta" } };
    const written = encode([
      START,
      { type: "text-start", index: 3 },
      { type: "native", index: 3, native: { wire: "anthropic-messages", value: citation } },
      { type: "native", index: 3, native: { wire: "gemini", value: {} } },
      { type: "native", native: { wire: "anthropic-messages", value: { type: "brand_new" } } },
      { type: "native", native: { wire: "openai-responses", value: { type: "x" } } },
    ]);
    expect(written.slice(2, -1)).toEqual([
      { event: "content_block_delta", data: { ...citation, index: 0 } },
      { event: "brand_new", data: { type: "brand_new" } },
    ]);
  });

  it("ends open blocks before the reply, and a truncated reply with an error", () => {
    expect(
      encode([START, { type: "text-start", index: 0 }, END])
        .map(({ event }) => event)
        .slice(-3),
    ).toEqual(["content_block_stop", "message_delta", "message_stop"]);
    const error = new LonghaulError("upstream.busy", "Overloaded", { status: 529 });
    expect(encode([START, { type: "error", error }]).at(-1)).toEqual({
      event: "error",
      data: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
    });
    expect(encode([START]).at(-1)).toMatchObject({ event: "error" });
  });
});

describe("textDelta", () => {
  it("writes the same bytes as JSON.stringify", () => {
    fc.assert(
      fc.property(fc.nat(99), fc.oneof(anyText(), fc.string()), (index, text) => {
        expect(textDelta(index, text)).toEqual(blockDelta(index, { type: "text_delta", text }));
      }),
    );
  });
});

describe("wholeBlock", () => {
  it("starts and stops a block, with a thinking block's signature in between", () => {
    expect(wholeBlock(3, { type: "redacted_thinking", data: "d" }).map(({ event }) => event)).toEqual([
      "content_block_start",
      "content_block_stop",
    ]);
    expect(wholeBlock(3, { type: "thinking", thinking: "", signature: "s" }).map(({ event }) => event)).toEqual([
      "content_block_start",
      "content_block_delta",
      "content_block_stop",
    ]);
  });

  it("sends a compaction's text as one delta, and a signed one whole, like the API", () => {
    const data = (block: JsonObject) => wholeBlock(0, block).map((event): unknown => JSON.parse(event.data));
    expect(data({ type: "compaction", content: "So far.", encrypted_content: "e" })).toEqual([
      { type: "content_block_start", index: 0, content_block: { type: "compaction", content: null } },
      {
        type: "content_block_delta",
        index: 0,
        delta: { type: "compaction_delta", content: "So far.", encrypted_content: "e" },
      },
      { type: "content_block_stop", index: 0 },
    ]);
    const signed = { type: "compaction", content: "So far.", signature: "s" };
    expect(data(signed)).toEqual([
      { type: "content_block_start", index: 0, content_block: signed },
      { type: "content_block_stop", index: 0 },
    ]);
  });
});
