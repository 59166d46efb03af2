import type { JsonObject, StreamEvent } from "@longhaul/conversation/advanced";
import { describe, expect, it } from "vitest";
import type { WireEvent } from "../codec/stepper.ts";
import { writeSse } from "../reply/sse.ts";
import { readEvents, runStream } from "../testing/stream.ts";
import { addPiece, decodeStream, isPiece, type PartialCall } from "./decode-stream.ts";

const HEAD = { modelVersion: "gemini-3.5-flash", responseId: "r1" };
const USAGE = { inputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };

function makeChunk(parts: readonly JsonObject[], fields: JsonObject = {}, usage?: JsonObject): WireEvent {
  const candidate = { content: { role: "model", parts }, index: 0, ...fields };
  const usageMetadata = { promptTokenCount: 10, ...usage };
  return { data: JSON.stringify({ candidates: [candidate], usageMetadata, ...HEAD }) };
}

/** Events without native data. */
function decode(events: readonly WireEvent[]): object[] {
  return runStream(decodeStream, events).map((event) => {
    if (!("native" in event) || event.type === "native") return event;
    const { native: _, ...rest } = event;
    return rest;
  });
}

const START = { type: "reply-start", id: "r1", model: "gemini-3.5-flash", usage: USAGE };

function makeEnd(fields: object): object {
  return { type: "reply-end", stopReason: "end", usage: USAGE, ...fields };
}

describe("decodeStream", () => {
  it("joins the pieces of thoughts and text and uses the last usage", () => {
    const events = [
      makeChunk([{ text: "Hm", thought: true }]),
      makeChunk([{ text: "…", thought: true }, { text: "Hel" }]),
      makeChunk([{ text: "lo." }], {}, { candidatesTokenCount: 1 }),
      makeChunk([{ text: "" }], { finishReason: "STOP" }, { candidatesTokenCount: 3, thoughtsTokenCount: 4 }),
    ];
    expect(decode(events)).toEqual([
      START,
      { type: "thinking-start", index: 0, vendor: "google" },
      { type: "thinking-delta", index: 0, text: "Hm" },
      { type: "thinking-delta", index: 0, text: "…" },
      { type: "thinking-end", index: 0 },
      { type: "text-start", index: 1 },
      { type: "text-delta", index: 1, text: "Hel" },
      { type: "text-delta", index: 1, text: "lo." },
      { type: "text-end", index: 1 },
      makeEnd({ usage: { ...USAGE, outputTokens: 7, reasoningTokens: 4 } }),
    ]);
  });

  it("continues a text after a part that is empty, null or absent", () => {
    const events = [
      makeChunk([{ text: "Hel" }]),
      makeChunk([{ text: "" }, { text: null }, {}, { thought: false }]),
      makeChunk([{ text: "lo." }], { finishReason: "STOP" }),
    ];
    expect(decode(events)).toEqual([
      START,
      { type: "text-start", index: 0 },
      { type: "text-delta", index: 0, text: "Hel" },
      { type: "text-delta", index: 0, text: "lo." },
      { type: "text-end", index: 0 },
      makeEnd({}),
    ]);
  });

  it("emits whole calls and adds missing ids", () => {
    const call = { functionCall: { name: "read_file", args: { path: "a" } } };
    const events = [
      makeChunk([{ text: "I read." }, { ...call, thoughtSignature: "s" }, call]),
      makeChunk([{ functionCall: { id: "own", name: "now" } }], { finishReason: "STOP" }),
    ];
    expect(decode(events)).toEqual([
      START,
      { type: "text-start", index: 0 },
      { type: "text-delta", index: 0, text: "I read." },
      { type: "text-end", index: 0 },
      { type: "tool-call-start", index: 1, id: "gemini_call_r1_0", name: "read_file", signature: "s" },
      { type: "tool-call-delta", index: 1, json: '{"path":"a"}' },
      { type: "tool-call-end", index: 1 },
      { type: "tool-call-start", index: 2, id: "gemini_call_r1_1", name: "read_file" },
      { type: "tool-call-delta", index: 2, json: '{"path":"a"}' },
      { type: "tool-call-end", index: 2 },
      { type: "tool-call-start", index: 3, id: "own", name: "now" },
      { type: "tool-call-delta", index: 3, json: "{}" },
      { type: "tool-call-end", index: 3 },
      makeEnd({ stopReason: "tool-calls" }),
    ]);
  });

  it("ends thoughts with their signature", () => {
    const events = [
      makeChunk([{ text: "Hm.", thought: true }]),
      makeChunk([{ text: "", thought: true, thoughtSignature: "s" }]),
      makeChunk([{ text: "More.", thought: true }], { finishReason: "STOP" }),
    ];
    expect(decode(events).slice(1, -1)).toEqual([
      { type: "thinking-start", index: 0, vendor: "google" },
      { type: "thinking-delta", index: 0, text: "Hm." },
      { type: "thinking-end", index: 0, signature: "s" },
      { type: "thinking-start", index: 1, vendor: "google" },
      { type: "thinking-delta", index: 1, text: "More." },
      { type: "thinking-end", index: 1 },
    ]);
  });

  it("keeps the signature of a text for clients of this format", () => {
    const alone = { text: "", thoughtSignature: "t" };
    const events = [
      makeChunk([{ text: "Hello.", thoughtSignature: "s" }]),
      makeChunk([alone], { finishReason: "STOP" }),
    ];
    expect(decode(events).slice(1, -1)).toEqual([
      { type: "text-start", index: 0 },
      { type: "text-delta", index: 0, text: "Hello." },
      { type: "native", index: 0, native: { wire: "gemini", value: { thoughtSignature: "s" } } },
      { type: "text-end", index: 0 },
      {
        type: "block",
        index: 1,
        block: { type: "opaque", kind: "thought_signature", native: { wire: "gemini", value: alone } },
      },
    ]);
  });

  it("assembles arguments that arrive in pieces", () => {
    const events = [
      makeChunk([{ functionCall: { name: "edit", willContinue: true }, thoughtSignature: "s" }]),
      makeChunk([{ functionCall: { partialArgs: [{ jsonPath: "$.path", stringValue: "a" }], willContinue: true } }]),
      makeChunk([{ functionCall: {} }], { finishReason: "STOP" }),
    ];
    expect(decode(events).slice(1, -1)).toEqual([
      { type: "tool-call-start", index: 0, id: "gemini_call_r1_0", name: "edit", signature: "s" },
      { type: "tool-call-delta", index: 0, json: '{"path":"a"}' },
      { type: "tool-call-end", index: 0 },
    ]);
    expect(decode([...events.slice(0, 2), makeChunk([], { finishReason: "STOP" })]).at(-1)).toMatchObject({
      type: "error",
      error: { code: "upstream.broken" },
    });
  });

  it("emits images as whole blocks", () => {
    const part = { inlineData: { mimeType: "image/png", data: "AA==" } };
    expect(decode([makeChunk([part], { finishReason: "STOP" })])[1]).toMatchObject({
      type: "block",
      index: 0,
      block: { type: "image" },
    });
  });

  it("ends with the stream and keeps the reply's other fields", () => {
    const events = [
      makeChunk([{ text: "Hi" }], { finishReason: "STOP", groundingMetadata: { a: 1 } }),
      makeChunk([{ text: " again" }], { citationMetadata: { b: 2 } }),
    ];
    const last = runStream(decodeStream, events).at(-1);
    expect(last).toEqual({
      type: "reply-end",
      stopReason: "end",
      usage: USAGE,
      native: {
        wire: "gemini",
        value: {
          ...HEAD,
          usageMetadata: { promptTokenCount: 10 },
          candidates: [{ index: 0, finishReason: "STOP", groundingMetadata: { a: 1 }, citationMetadata: { b: 2 } }],
        },
      },
    });
  });

  it("keeps other candidates for clients of this format", () => {
    const other = { content: { parts: [{ text: "B" }] }, index: 1 };
    const data = JSON.stringify({ candidates: [other], ...HEAD });
    expect(decode([{ data }, makeChunk([{ text: "A" }], { finishReason: "STOP" })])[1]).toEqual({
      type: "native",
      native: { wire: "gemini", value: { candidates: [other] } },
    });
  });

  it("decodes a blocked prompt", () => {
    const data = JSON.stringify({ promptFeedback: { blockReason: "SAFETY" }, ...HEAD });
    expect(decode([{ data }]).at(-1)).toMatchObject({ type: "reply-end", stopReason: "refusal" });
  });

  it("decodes an error inside the stream and nothing after it", () => {
    const error = { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" };
    const events = decode([
      makeChunk([{ text: "Hi" }]),
      { data: JSON.stringify({ error }) },
      makeChunk([{ text: "x" }]),
    ]);
    expect(events.slice(3)).toMatchObject([{ type: "error", error: { code: "upstream.busy", status: 503 } }]);
  });

  it("ends a truncated or unreadable stream with upstream.broken", () => {
    const broken = { type: "error", error: { code: "upstream.broken" } };
    expect(decode([makeChunk([{ text: "Hi" }])]).at(-1)).toMatchObject(broken);
    expect(decode([{ data: "<html>" }])).toMatchObject([broken]);
    expect(decode([makeChunk([{ functionCall: {} }])])).toMatchObject([broken]);
  });

  it("emits the same events if the bytes are split inside a character or between CR and LF", () => {
    const events = [
      makeChunk([{ text: "Hm… 世界", thought: true }]),
      makeChunk([{ text: "Grüße 👩‍👩‍👧‍👦" }]),
      makeChunk([{ functionCall: { name: "f", args: { path: "多语言" } }, thoughtSignature: "s" }], {
        finishReason: "STOP",
      }),
    ];
    const bytes = new TextEncoder().encode(events.map(writeSse).join("").replaceAll("\n", "\r\n"));
    const whole = runStream(decodeStream, events);
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(readIn([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(whole);
    }
  });
});

function readIn(chunks: readonly Uint8Array[]): StreamEvent[] {
  return runStream(decodeStream, readEvents(chunks));
}

function assemble(calls: readonly JsonObject[]): JsonObject | undefined {
  let partial: PartialCall | undefined;
  let whole: JsonObject | undefined;
  for (const functionCall of calls) {
    const part = { functionCall, ...(functionCall.name === undefined ? {} : { thoughtSignature: "s" }) };
    expect(isPiece(part, partial)).toBe(true);
    ({ whole, ...partial } = addPiece(partial, part));
  }
  return whole;
}

describe("addPiece", () => {
  it("assembles strings in pieces, arrays and objects at any depth", () => {
    const whole = assemble([
      { name: "edit", id: "c1", willContinue: true },
      { partialArgs: [{ jsonPath: "$.path", stringValue: "src/", willContinue: true }], willContinue: true },
      { partialArgs: [{ jsonPath: "$.path", stringValue: "a.ts" }], willContinue: true },
      {
        partialArgs: [
          { jsonPath: "$.edits[0].line", numberValue: 3 },
          { jsonPath: "$.edits[0].force", boolValue: false },
          { jsonPath: "$.edits[1]['odd name']", nullValue: "NULL_VALUE" },
        ],
        willContinue: true,
      },
      {},
    ]);
    expect(whole).toEqual({
      functionCall: {
        name: "edit",
        id: "c1",
        args: { path: "src/a.ts", edits: [{ line: 3, force: false }, { "odd name": null }] },
      },
      thoughtSignature: "s",
    });
  });

  it("does not let a path create a huge array or change a prototype", () => {
    const whole = assemble([
      {
        name: "f",
        partialArgs: [
          { jsonPath: "$.list[4000000000]", numberValue: 1 },
          { jsonPath: "$.__proto__.polluted", boolValue: true },
          { jsonPath: "nonsense", stringValue: "x" },
        ],
      },
    ]);
    expect(JSON.stringify(whole)).toContain('"list":[1]');
    expect("polluted" in {}).toBe(false);
  });
});

describe("isPiece", () => {
  it("distinguishes pieces from whole calls and other parts", () => {
    const partial = { part: {}, args: {} };
    expect(isPiece({ functionCall: { name: "f", args: {} } }, undefined)).toBe(false);
    expect(isPiece({ functionCall: { name: "g", args: {} } }, partial)).toBe(false);
    expect(isPiece({ text: "x" }, partial)).toBe(false);
    expect(isPiece({ functionCall: {} }, undefined)).toBe(false);
  });
});
