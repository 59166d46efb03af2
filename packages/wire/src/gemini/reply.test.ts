import type { JsonObject, Reply, StopReason } from "@longhaul/conversation/advanced";
import {
  makeCompaction,
  makeImage,
  makeOpaque,
  makeText,
  makeThinking,
  makeToolCall,
  makeUsage,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { normalReply } from "../testing/normal-form.ts";
import {
  decodeReply,
  decodeStopReason,
  decodeUsage,
  encodeReply,
  encodeStopReason,
  encodeUsage,
  mergeUsage,
} from "./reply.ts";

const CALL = { functionCall: { name: "read_file", args: { path: "a" } } };

function makeBody(parts: readonly JsonObject[] | undefined, fields: JsonObject = {}): JsonObject {
  const content = { role: "model", ...(parts && { parts }) };
  return {
    candidates: [{ content, finishReason: "STOP", index: 0, ...fields }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2, totalTokenCount: 12 },
    modelVersion: "gemini-3.5-flash",
    responseId: "r1",
  };
}

describe("decodeReply", () => {
  it("decodes thoughts, text, calls and the stop reason", () => {
    const body = makeBody([
      { text: "Hm.", thought: true },
      { text: "I read." },
      { ...CALL, thoughtSignature: "s" },
      { functionCall: { id: "own", name: "now" } },
      CALL,
    ]);
    expect(decodeReply(body).native).toEqual({ wire: "gemini", value: body });
    expect(normalReply(decodeReply(body))).toEqual({
      id: "r1",
      model: "gemini-3.5-flash",
      blocks: [
        { type: "thinking", text: "Hm.", vendor: "google" },
        makeText("I read."),
        { type: "tool-call", id: "gemini_call_r1_0", name: "read_file", input: { path: "a" }, signature: "s" },
        { type: "tool-call", id: "own", name: "now", input: {} },
        { type: "tool-call", id: "gemini_call_r1_2", name: "read_file", input: { path: "a" } },
      ],
      stopReason: "tool-calls",
      usage: { inputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 2 },
    });
  });

  it("decodes a blocked prompt", () => {
    const body = { promptFeedback: { blockReason: "SAFETY" }, usageMetadata: { promptTokenCount: 5 } };
    expect(decodeReply(body)).toMatchObject({ blocks: [], stopReason: "refusal", usage: { inputTokens: 5 } });
  });

  it("decodes a reply without content, also if its text is empty, null or absent", () => {
    expect(decodeReply(makeBody(undefined, { finishReason: "MAX_TOKENS" }))).toMatchObject({
      blocks: [],
      stopReason: "length",
    });
    expect(decodeReply(makeBody([{ text: "" }, { text: null }, {}, { thought: false }])).blocks).toEqual([]);
  });

  it("decodes the first of several candidates, in any position", () => {
    const { candidates, ...rest } = makeBody([{ text: "First." }]);
    const other = { content: { parts: [{ text: "Second." }] }, index: 1 };
    const body = { ...rest, candidates: [other, ...(Array.isArray(candidates) ? candidates : [])] };
    expect(decodeReply(body).blocks).toMatchObject([{ text: "First." }]);
  });

  it("throws an error inside a 200", () => {
    expect(() => decodeReply({ error: { code: 503, message: "Overloaded", status: "UNAVAILABLE" } })).toThrow(
      expect.objectContaining({ code: "upstream.busy", message: "Overloaded" }),
    );
  });
});

describe("encodeReply", () => {
  const reply: Reply = {
    id: "msg_1",
    model: "claude-sonnet-5",
    blocks: [makeText("I read."), makeToolCall("toolu_1")],
    stopReason: "tool-calls",
    usage: makeUsage(),
  };

  it("encodes a reply like Gemini", () => {
    expect(encodeReply(reply)).toEqual({
      candidates: [
        {
          content: {
            role: "model",
            parts: [
              { text: "I read." },
              { functionCall: { id: "toolu_1", name: "read_file", args: { path: "src/main.ts" } } },
            ],
          },
          finishReason: "STOP",
          index: 0,
        },
      ],
      usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 },
      modelVersion: "claude-sonnet-5",
      responseId: "msg_1",
    });
  });

  it("writes Gemini's own reply unchanged", () => {
    const body = makeBody([CALL], { groundingMetadata: {} });
    expect(encodeReply(decodeReply(body))).toBe(body);
  });

  it("drops blocks that only another format has", () => {
    const blocks = [makeCompaction(), makeOpaque(), makeImage(), makeThinking()];
    const { candidates } = encodeReply({ ...reply, blocks });
    expect(candidates).toMatchObject([{ content: { parts: [{ inlineData: {} }, { thought: true }] } }]);
  });
});

describe("stop reasons", () => {
  it.each<[string, StopReason]>([
    ["STOP", "end"],
    ["MAX_TOKENS", "length"],
    ["SAFETY", "refusal"],
    ["RECITATION", "refusal"],
    ["PROHIBITED_CONTENT", "refusal"],
    ["CONTINUATION", "pause"],
    ["MALFORMED_FUNCTION_CALL", "other"],
    ["UNEXPECTED_TOOL_CALL", "other"],
    ["NEW_REASON", "other"],
  ])("%s means %s", (reason, meaning) => {
    expect(decodeStopReason(reason, false)).toBe(meaning);
  });

  it("become tool-calls only after a normal stop", () => {
    expect(decodeStopReason("STOP", true)).toBe("tool-calls");
    expect(decodeStopReason("MAX_TOKENS", true)).toBe("length");
    expect(decodeStopReason(undefined, false)).toBe("other");
  });

  it("are encoded with the nearest value", () => {
    const reasons: StopReason[] = [
      "end",
      "length",
      "stop-sequence",
      "tool-calls",
      "refusal",
      "pause",
      "context-exceeded",
      "compaction",
      "other",
    ];
    expect(reasons.map(encodeStopReason)).toEqual([
      "STOP",
      "MAX_TOKENS",
      "STOP",
      "STOP",
      "SAFETY",
      "OTHER",
      "MAX_TOKENS",
      "OTHER",
      "OTHER",
    ]);
  });
});

describe("decodeUsage", () => {
  it("subtracts cached tokens from the prompt and adds thinking to the output", () => {
    const usage = {
      promptTokenCount: 29,
      cachedContentTokenCount: 20,
      candidatesTokenCount: 15,
      thoughtsTokenCount: 804,
      totalTokenCount: 848,
    };
    const read = {
      inputTokens: 9,
      cacheReadTokens: 20,
      cacheWriteTokens: 0,
      outputTokens: 819,
      reasoningTokens: 804,
    };
    expect(decodeUsage(usage)).toEqual(read);
    expect(encodeUsage(read)).toEqual(usage);
  });

  it("counts the results of server tools as input", () => {
    expect(decodeUsage({ promptTokenCount: 10, toolUsePromptTokenCount: 5 }).inputTokens).toBe(15);
  });

  it("treats missing counts as zero", () => {
    const nothing = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };
    expect(decodeUsage(undefined)).toEqual(nothing);
    expect(decodeUsage({ promptTokenCount: 7 })).toEqual({ ...nothing, inputTokens: 7 });
  });
});

describe("mergeUsage", () => {
  it("replaces counts with those of a later report", () => {
    const first = mergeUsage({}, { promptTokenCount: 7, candidatesTokenCount: 1 });
    expect(mergeUsage(first, { candidatesTokenCount: 5 })).toEqual({ promptTokenCount: 7, candidatesTokenCount: 5 });
    expect(mergeUsage(first, undefined)).toBe(first);
  });
});

describe("encodeUsage", () => {
  it("writes totals like the API", () => {
    const usage = {
      inputTokens: 100,
      cacheReadTokens: 800,
      cacheWriteTokens: 50,
      outputTokens: 30,
      reasoningTokens: 10,
    };
    expect(encodeUsage(usage)).toEqual({
      promptTokenCount: 950,
      cachedContentTokenCount: 800,
      candidatesTokenCount: 20,
      thoughtsTokenCount: 10,
      totalTokenCount: 980,
    });
  });

  it("omits unknown counts", () => {
    const usage = { inputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 2 };
    expect(encodeUsage(usage)).toEqual({ promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 3 });
  });
});
