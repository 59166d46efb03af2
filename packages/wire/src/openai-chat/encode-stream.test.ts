import { LonghaulError, type StreamEvent } from "@longhaul/conversation/advanced";
import { makeImage, makeRedactedThinking, makeUsage } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import type { ReplyContext } from "../codec/stepper.ts";
import { runStream } from "../testing/stream.ts";
import { encodeStream } from "./encode-stream.ts";

const START: StreamEvent = { type: "reply-start", id: "r", model: "m" };
const END: StreamEvent = { type: "reply-end", stopReason: "end", usage: makeUsage() };

function encode(events: readonly StreamEvent[], context?: ReplyContext): unknown[] {
  return runStream(encodeStream, events, context).map(({ event, data }) => {
    expect(event).toBeUndefined();
    return data === "[DONE]" ? data : JSON.parse(data);
  });
}

function deltas(events: readonly StreamEvent[]): unknown[] {
  return encode([START, ...events, END])
    .slice(1, -3)
    .map((chunk) =>
      typeof chunk === "object" && chunk !== null && "choices" in chunk && Array.isArray(chunk.choices)
        ? chunk.choices[0].delta
        : chunk,
    );
}

describe("encodeStream", () => {
  it("writes the chunks that SDKs expect, with usage and [DONE] at the end", () => {
    const head = { id: "r", object: "chat.completion.chunk", created: 7, model: "m" };
    const choice = (delta: object, finish_reason: string | null = null) => ({
      index: 0,
      delta,
      logprobs: null,
      finish_reason,
    });
    const events: StreamEvent[] = [
      START,
      { type: "text-start", index: 0 },
      { type: "text-delta", index: 0, text: 'a"\n' },
      { type: "text-end", index: 0 },
      END,
    ];
    const written = encode(events, { createdSeconds: 7 });
    expect(written).toEqual([
      { ...head, choices: [choice({ role: "assistant", content: "" })] },
      { ...head, choices: [choice({ content: 'a"\n' })] },
      { ...head, choices: [choice({}, "stop")] },
      { ...head, choices: [], usage: expect.objectContaining({ prompt_tokens: 100, completion_tokens: 20 }) },
      "[DONE]",
    ]);
    expect(encode(events, { createdSeconds: 7, streamUsage: false })).toEqual(written.toSpliced(3, 1));
  });

  it("numbers calls for the client independently of their blocks", () => {
    expect(
      deltas([
        { type: "tool-call-start", index: 3, id: "a", name: "f", signature: "s" },
        { type: "tool-call-start", index: 5, id: "b", name: "c", freeText: true },
        { type: "tool-call-delta", index: 5, json: "free" },
        { type: "tool-call-delta", index: 3, json: "{}" },
        { type: "tool-call-delta", index: 9, json: "nobody's" },
        { type: "tool-call-end", index: 3 },
      ]),
    ).toEqual([
      {
        tool_calls: [
          {
            index: 0,
            id: "a",
            type: "function",
            function: { name: "f", arguments: "" },
            extra_content: { google: { thought_signature: "s" } },
          },
        ],
      },
      { tool_calls: [{ index: 1, id: "b", type: "custom", custom: { name: "c", input: "" } }] },
      { tool_calls: [{ index: 1, custom: { input: "free" } }] },
      { tool_calls: [{ index: 0, function: { arguments: "{}" } }] },
    ]);
  });

  it("writes thinking with its vendor and signature", () => {
    expect(
      deltas([
        { type: "thinking-start", index: 0, vendor: "anthropic" },
        { type: "thinking-delta", index: 0, text: "hm" },
        { type: "thinking-end", index: 0, signature: "s" },
        { type: "block", index: 1, block: makeRedactedThinking("d") },
        { type: "block", index: 2, block: makeImage() },
        { type: "thinking-start", index: 3 },
        { type: "thinking-end", index: 3 },
      ]),
    ).toEqual([
      { reasoning_details: [{ type: "reasoning.text", text: "", format: "anthropic-claude-v1", index: 0 }] },
      { reasoning_content: "hm" },
      {
        reasoning_details: [
          { type: "reasoning.text", text: "hm", signature: "s", format: "anthropic-claude-v1", index: 0 },
        ],
      },
      { reasoning_details: [{ type: "reasoning.encrypted", data: "d", format: "anthropic-claude-v1", index: 1 }] },
    ]);
  });

  it("writes an error that SDKs can read, and nothing after it", () => {
    const error = new LonghaulError("upstream.busy", "Overloaded", { status: 529 });
    const body = { error: { message: "Overloaded", type: "server_error", param: null, code: "overloaded" } };
    expect(encode([START, { type: "error", error }, { type: "ping" }]).slice(1)).toEqual([body]);
    expect(encode([START]).at(-1)).toMatchObject({ error: { type: "server_error" } });
  });
});
