import { LonghaulError, type StreamEvent } from "@longhaul/conversation/advanced";
import { makeRedactedThinking, makeUsage } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { runStream } from "../testing/stream.ts";
import { encodeStream } from "./encode-stream.ts";

const START: StreamEvent = { type: "reply-start", id: "r", model: "m" };
const END: StreamEvent = { type: "reply-end", stopReason: "end", usage: makeUsage() };

interface Written {
  readonly type: string;
  readonly sequence_number: number;
  readonly output_index?: number;
  readonly item?: object;
  readonly response?: { readonly status: string; readonly output: readonly object[] };
}

function encode(events: readonly StreamEvent[]): Written[] {
  return runStream(encodeStream, events, { createdSeconds: 7 }).map(({ event, data }) => {
    const written: Written = JSON.parse(data);
    expect(written.type).toBe(event);
    return written;
  });
}

describe("encodeStream", () => {
  it("writes the numbered sequence of events that SDKs expect", () => {
    const written = encode([
      START,
      { type: "text-start", index: 0 },
      { type: "text-delta", index: 0, text: 'a"\n' },
      { type: "text-delta", index: 0, text: "b" },
      { type: "text-end", index: 0 },
      END,
    ]);
    expect(written.map(({ type }) => type.replace("response.", ""))).toEqual([
      "created",
      "in_progress",
      "output_item.added",
      "content_part.added",
      "output_text.delta",
      "output_text.delta",
      "output_text.done",
      "content_part.done",
      "output_item.done",
      "completed",
    ]);
    expect(written.map(({ sequence_number }) => sequence_number)).toEqual([...written.keys()]);
    expect(written[4]).toEqual({
      type: "response.output_text.delta",
      sequence_number: 4,
      item_id: "msg_r_0",
      output_index: 0,
      content_index: 0,
      delta: 'a"\n',
      logprobs: [],
    });
    expect(written.at(-1)?.response).toMatchObject({
      status: "completed",
      created_at: 7,
      output: [{ type: "message", content: [{ text: 'a"\nb' }] }],
      usage: { input_tokens: 100 },
    });
  });

  it("writes interleaved blocks, each with its output index", () => {
    const written = encode([
      START,
      { type: "tool-call-start", index: 0, id: "a", name: "f" },
      { type: "tool-call-start", index: 1, id: "b", name: "c", freeText: true },
      { type: "tool-call-delta", index: 1, json: "free" },
      { type: "tool-call-delta", index: 0, json: "{}" },
      { type: "tool-call-delta", index: 7, json: "nobody's" },
      { type: "tool-call-end", index: 1 },
      { type: "tool-call-end", index: 0 },
      { type: "reply-end", stopReason: "tool-calls", usage: makeUsage() },
    ]);
    expect(written.at(-1)?.response?.output).toMatchObject([
      { type: "function_call", call_id: "a", name: "f", arguments: "{}" },
      { type: "custom_tool_call", call_id: "b", name: "c", input: "free" },
    ]);
  });

  it("writes thinking with its signature, and a Gemini signature as reasoning before its call", () => {
    const written = encode([
      START,
      { type: "thinking-start", index: 0, id: "rs_own", vendor: "openai" },
      { type: "thinking-delta", index: 0, text: "hm" },
      { type: "thinking-end", index: 0, signature: "gAAAA" },
      { type: "block", index: 1, block: makeRedactedThinking("AAAA") },
      { type: "tool-call-start", index: 2, id: "a", name: "f", signature: "AAAA" },
      { type: "tool-call-end", index: 2 },
      END,
    ]);
    expect(written.at(-1)?.response?.output).toEqual([
      { id: "rs_own", type: "reasoning", summary: [{ type: "summary_text", text: "hm" }], encrypted_content: "gAAAA" },
      { id: "rs_r_1", type: "reasoning", summary: [], encrypted_content: "longhaul/anthropic//AAAA" },
      { id: "rs_r_2", type: "reasoning", summary: [], encrypted_content: "longhaul/google/AAAA" },
      { id: "fc_r_3", type: "function_call", status: "completed", call_id: "a", name: "f", arguments: "" },
    ]);
  });

  it("ends open items, reports an incomplete reply and writes native events", () => {
    const native = { wire: "openai-responses", value: { type: "response.brand_new" } };
    const written = encode([
      START,
      { type: "native", native },
      { type: "native", native: { wire: "gemini", value: {} } },
      { type: "ping" },
      { type: "text-start", index: 0 },
      { type: "reply-end", stopReason: "length", usage: makeUsage() },
      { type: "ping" },
    ]);
    expect(written[2]).toEqual({ type: "response.brand_new", sequence_number: 2 });
    expect(written.at(-2)?.type).toBe("response.output_item.done");
    expect(written.at(-1)).toMatchObject({
      type: "response.incomplete",
      response: { incomplete_details: { reason: "max_output_tokens" } },
    });
  });

  it("writes an error in both forms and nothing after it", () => {
    const error = new LonghaulError("request.too-large", "x", { overflow: {} });
    const written = encode([START, { type: "error", error }, END]);
    expect(written.slice(2)).toMatchObject([
      {
        type: "error",
        code: "context_length_exceeded",
        param: "input",
        message: expect.stringContaining("context window"),
      },
      { type: "response.failed", response: { status: "failed", error: { code: "context_length_exceeded" } } },
    ]);
    expect(encode([START]).at(-1)?.type).toBe("response.failed");
  });
});
