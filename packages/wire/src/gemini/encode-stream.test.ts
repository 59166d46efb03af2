import { LonghaulError, type StreamEvent } from "@longhaul/conversation/advanced";
import { makeCompaction, makeRedactedThinking, makeUsage } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { runStream } from "../testing/stream.ts";
import { wrapThinking } from "./calls.ts";
import { decodeMessage } from "./decode-message.ts";
import { encodeStream } from "./encode-stream.ts";

const START: StreamEvent = { type: "reply-start", id: "msg_1", model: "claude-sonnet-5" };
const END: StreamEvent = { type: "reply-end", stopReason: "end", usage: makeUsage() };
const HEAD = { modelVersion: "claude-sonnet-5", responseId: "msg_1" };

function encode(events: readonly StreamEvent[]): unknown[] {
  return runStream(encodeStream, events).map(({ data }) => JSON.parse(data));
}

function makeChunk(part: object): object {
  return { candidates: [{ content: { parts: [part], role: "model" }, index: 0 }], ...HEAD };
}

const LAST = {
  candidates: [{ content: { parts: [{ text: "" }], role: "model" }, finishReason: "STOP", index: 0 }],
  usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 },
  ...HEAD,
};

describe("encodeStream", () => {
  it("writes text and thoughts immediately, and calls when they are complete", () => {
    const events: StreamEvent[] = [
      START,
      { type: "thinking-start", index: 0, vendor: "google" },
      { type: "thinking-delta", index: 0, text: "Hm." },
      { type: "thinking-end", index: 0, signature: "s" },
      { type: "text-start", index: 1 },
      { type: "text-delta", index: 1, text: "I " },
      { type: "text-delta", index: 1, text: "read." },
      { type: "text-end", index: 1 },
      { type: "ping" },
      { type: "tool-call-start", index: 2, id: "toolu_1", name: "read_file", signature: "t" },
      { type: "tool-call-delta", index: 2, json: '{"path"' },
      { type: "tool-call-delta", index: 2, json: ':"a"}' },
      { type: "tool-call-end", index: 2 },
      END,
    ];
    expect(encode(events)).toEqual([
      makeChunk({ text: "Hm.", thought: true }),
      makeChunk({ text: "", thought: true, thoughtSignature: "s" }),
      makeChunk({ text: "I " }),
      makeChunk({ text: "read." }),
      makeChunk({ functionCall: { id: "toolu_1", name: "read_file", args: { path: "a" } }, thoughtSignature: "t" }),
      LAST,
    ]);
  });

  it("separates interleaved blocks", () => {
    const events: StreamEvent[] = [
      START,
      { type: "tool-call-start", index: 0, id: "a", name: "f" },
      { type: "tool-call-start", index: 1, id: "b", name: "g" },
      { type: "tool-call-delta", index: 1, json: '{"b":1}' },
      { type: "tool-call-delta", index: 0, json: '{"a":1}' },
      { type: "tool-call-end", index: 1 },
      { type: "text-start", index: 2 },
      { type: "text-delta", index: 2, text: "Done." },
      { type: "tool-call-end", index: 0 },
      END,
    ];
    expect(encode(events)).toEqual([
      makeChunk({ functionCall: { id: "a", name: "f", args: { a: 1 } } }),
      makeChunk({ functionCall: { id: "b", name: "g", args: { b: 1 } } }),
      makeChunk({ text: "Done." }),
      LAST,
    ]);
  });

  it("writes free text as a named argument and Gemini's own call unchanged", () => {
    const native = { wire: "gemini", value: { functionCall: { name: "f", args: { x: 1.5 } }, partMetadata: {} } };
    const events: StreamEvent[] = [
      START,
      { type: "tool-call-start", index: 0, id: "a", name: "patch", freeText: true },
      { type: "tool-call-delta", index: 0, json: "*** Begin" },
      { type: "tool-call-end", index: 0 },
      { type: "tool-call-start", index: 1, id: "b", name: "f", native },
      { type: "tool-call-end", index: 1 },
      END,
    ];
    expect(encode(events).slice(0, 2)).toEqual([
      makeChunk({ functionCall: { id: "a", name: "patch", args: { input: "*** Begin" } } }),
      makeChunk(native.value),
    ]);
  });

  it("writes whole blocks that the format can express", () => {
    const block = {
      type: "opaque",
      kind: "executable_code",
      native: { wire: "gemini", value: { executableCode: {} } },
    } as const;
    const events: StreamEvent[] = [
      START,
      { type: "block", index: 0, block },
      { type: "block", index: 1, block: makeCompaction() },
      { type: "block", index: 2, block: makeRedactedThinking() },
      END,
    ];
    expect(encode(events)).toMatchObject([makeChunk({ executableCode: {} }), makeChunk({ thought: true }), LAST]);
  });

  it("writes native events of this format and none of another", () => {
    const native = (wire: string, value: object) => ({ wire, value: { ...value } });
    const events: StreamEvent[] = [
      START,
      { type: "native", native: native("gemini", { candidates: [{ index: 1 }] }) },
      { type: "native", native: native("anthropic-messages", { type: "odd" }) },
      { type: "text-start", index: 0 },
      { type: "native", index: 0, native: native("gemini", { thoughtSignature: "s" }) },
      { type: "native", index: 0, native: native("openai-chat", {}) },
      { type: "text-end", index: 0 },
      {
        ...END,
        native: native("gemini", { usageMetadata: { promptTokenCount: 1 }, candidates: [{ avgLogprobs: 2 }] }),
      },
    ];
    expect(encode(events)).toEqual([
      { candidates: [{ index: 1 }], ...HEAD },
      makeChunk({ text: "", thoughtSignature: "s" }),
      {
        candidates: [
          { avgLogprobs: 2, content: { parts: [{ text: "" }], role: "model" }, finishReason: "STOP", index: 0 },
        ],
        usageMetadata: { promptTokenCount: 1 },
        ...HEAD,
      },
    ]);
  });

  it("has a part in every event, because Google's SDK drops the reply otherwise", () => {
    const events: StreamEvent[] = [START, { type: "text-start", index: 0 }, { type: "text-end", index: 0 }, END];
    for (const chunk of encode(events)) {
      expect(chunk).toMatchObject({ candidates: [{ content: { parts: [expect.anything()] } }] });
    }
  });

  it("ends open blocks and writes nothing after the end", () => {
    const events: StreamEvent[] = [
      START,
      { type: "text-start", index: 0 },
      { type: "text-start", index: 1 },
      { type: "text-delta", index: 1, text: "Late." },
      { type: "tool-call-start", index: 2, id: "a", name: "f" },
      { type: "tool-call-delta", index: 2, json: "{}" },
      END,
      { type: "text-delta", index: 1, text: "Later." },
    ];
    expect(encode(events)).toEqual([
      makeChunk({ text: "Late." }),
      makeChunk({ functionCall: { id: "a", name: "f", args: {} } }),
      LAST,
    ]);
  });

  it("writes an error, also for a truncated reply", () => {
    const error = new LonghaulError("upstream.busy", "Overloaded", { status: 529 });
    expect(encode([START, { type: "error", error }])).toEqual([
      { error: { code: 529, message: "Overloaded", status: "UNAVAILABLE" } },
    ]);
    expect(encode([START])).toMatchObject([{ error: { code: 502, status: "UNAVAILABLE" } }]);
  });

  it("packs another vendor's whole thinking into its signature, because clients keep events separate", () => {
    const events: StreamEvent[] = [
      START,
      { type: "thinking-start", index: 0, vendor: "anthropic" },
      { type: "thinking-delta", index: 0, text: "Hm" },
      { type: "thinking-delta", index: 0, text: "…" },
      { type: "thinking-end", index: 0, signature: "c2ln" },
      END,
    ];
    const thinking = { type: "thinking", text: "Hm…", signature: "c2ln", vendor: "anthropic" } as const;
    const signed = { text: "", thought: true, thoughtSignature: wrapThinking(thinking) };
    expect(encode(events).slice(0, 3)).toEqual([
      makeChunk({ text: "Hm", thought: true }),
      makeChunk({ text: "…", thought: true }),
      makeChunk(signed),
    ]);
    expect(decodeMessage({ role: "model", parts: [signed] }).blocks).toEqual([thinking]);
  });
});
