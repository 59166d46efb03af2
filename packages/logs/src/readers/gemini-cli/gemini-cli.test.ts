import { describe, expect, it } from "vitest";
import { parseDocument } from "../../reading/document.ts";
import { geminiCli } from "./gemini-cli.ts";

const SESSION = { sessionId: "s", projectHash: "p", summary: "A session" };

function read(messages: readonly object[]) {
  return geminiCli.read(parseDocument(JSON.stringify({ ...SESSION, messages })));
}

describe("geminiCli", () => {
  it("reads usage, thoughts included, and the notes to the user not at all", () => {
    const reading = read([
      { id: "1", type: "user", content: "Hi." },
      { id: "2", type: "info", content: "A newer version is there." },
      {
        id: "3",
        type: "gemini",
        content: "Hello.",
        timestamp: "2026-01-02T03:04:05Z",
        model: "gemini-3-pro",
        tokens: { input: 100, cached: 80, output: 5, thoughts: 7, tool: 1, total: 113 },
      },
    ]);
    expect(reading?.conversation.messages).toHaveLength(2);
    expect(reading?.calls).toEqual([
      {
        model: "gemini-3-pro",
        usage: { inputTokens: 21, cacheReadTokens: 80, cacheWriteTokens: 0, outputTokens: 12, reasoningTokens: 7 },
        timestampMs: Date.parse("2026-01-02T03:04:05Z"),
        outcome: "finished",
        prompt: { from: 0, to: 1 },
        reply: 1,
      },
    ]);
    expect(reading?.events).toEqual([{ kind: "title", line: 1, text: "A session" }]);
  });

  it("counts a call that gave nothing, and one that was taken back", () => {
    expect(read([{ id: "1", type: "gemini", content: "" }])?.calls).toEqual([
      { outcome: "finished", prompt: { from: 0, to: 0 } },
    ]);
    const lines = [
      SESSION,
      { id: "1", type: "gemini", content: "Hm.", model: "m" },
      { $rewindTo: "1" },
      { id: "2", type: "user", content: "Hi." },
    ];
    const reading = geminiCli.read(parseDocument(lines.map((line) => JSON.stringify(line)).join("\n")));
    expect(reading).toMatchObject({ calls: [], sideCalls: [{ model: "m" }] });
  });

  it("passes over messages that say nothing, and keeps parts that nobody can read", () => {
    const messages = [
      { id: "1", type: "user", content: null },
      { id: "2", type: "user", content: [[]] },
    ];
    expect(read(messages)?.conversation.messages).toMatchObject([{ blocks: [{ type: "opaque" }] }]);
    expect(read([])).toBeUndefined();
  });
});
