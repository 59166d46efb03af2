import { describe, expect, it } from "vitest";
import { makeReplyLine, makeUserLine } from "../../testing/claude-code.ts";
import { blockKey, callRecord, replyBlocks, replyKey, titleText, userContent } from "./lines.ts";

describe("replyKey", () => {
  it("is the message's id, or else the request's, or else the line's", () => {
    const line = (value: Parameters<typeof replyKey>[0]["value"]) => replyKey({ line: 7, value });
    expect(line(makeReplyLine("Hi.", { id: "m1", requestId: "r1" }))).toBe("m1");
    expect(line(makeReplyLine("Hi.", { requestId: "r1" }))).toBe("r1");
    expect(line(makeReplyLine("Hi."))).toBe("line 7");
  });
});

describe("replyBlocks", () => {
  it("returns plain text as a block", () => {
    expect(replyBlocks({ message: { content: "Hi." } })).toEqual([{ type: "text", text: "Hi." }]);
    expect(replyBlocks({ message: { content: "" } })).toEqual([]);
  });
});

describe("blockKey", () => {
  it("is equal for the same block and different for others", () => {
    expect(blockKey({ type: "tool_use", id: "t1", input: {} })).toBe(
      blockKey({ type: "tool_use", id: "t1", input: { a: 1 } }),
    );
    expect(blockKey({ type: "text", text: "Hm." })).not.toBe(blockKey({ type: "thinking", thinking: "Hm." }));
    expect([blockKey({ type: "hologram" }), blockKey(5)]).toEqual([undefined, undefined]);
  });
});

describe("userContent", () => {
  it("returns the content of a user line or a queued prompt", () => {
    expect(userContent(makeUserLine("Go."))).toBe("Go.");
    expect(userContent({ type: "attachment", attachment: { type: "queued_command", prompt: "And b." } })).toBe(
      "And b.",
    );
    expect(userContent({ type: "attachment", attachment: { type: "file", content: "x" } })).toBeUndefined();
    expect(userContent(makeUserLine("Shown.", { isVisibleInTranscriptOnly: true }))).toBeUndefined();
  });
});

describe("callRecord", () => {
  it("contains model, usage with the 1-hour cache, cost and time", () => {
    const usage = {
      input_tokens: 4,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 50,
      cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 30 },
      output_tokens: 9,
    };
    const line = makeReplyLine("Hi.", { usage, costUSD: 0.25, timestamp: "2026-01-02T03:04:05.678Z" });
    expect(callRecord(line)).toEqual({
      model: "claude-opus-4-5",
      usage: { inputTokens: 4, cacheReadTokens: 100, cacheWriteTokens: 50, cacheWriteHourTokens: 30, outputTokens: 9 },
      costUsd: 0.25,
      timestampMs: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
      outcome: "finished",
    });
  });
});

describe("titleText", () => {
  it("reads the session's name from every version", () => {
    expect(titleText({ type: "summary", summary: "A" })).toBe("A");
    expect(titleText({ type: "ai-title", aiTitle: "B" })).toBe("B");
    expect(titleText({ type: "custom-title", customTitle: "C" })).toBe("C");
    expect(titleText({ type: "mode", mode: "plan" })).toBeUndefined();
  });
});
