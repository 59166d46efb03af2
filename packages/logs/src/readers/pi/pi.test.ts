import type { JsonObject } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { parseDocument } from "../../reading/document.ts";
import { saidBy } from "../../testing/script.ts";
import { pi } from "./pi.ts";

const HEADER = { type: "session", id: "s1", cwd: "/project", provider: "anthropic", modelId: "claude-opus-4-5" };

function read(log: string) {
  return pi.read(parseDocument(log))!;
}

describe("pi", () => {
  it("follows the newest branch and counts the calls of the others apart", () => {
    const entry = (id: string, parentId: string | null, message: JsonObject) => ({
      type: "message",
      id,
      parentId,
      message,
    });
    const reply = (text: string) => ({
      role: "assistant",
      content: [{ type: "text", text }],
      usage: { input: 5, output: 1 },
    });
    const reading = read(
      [
        { ...HEADER, version: 3 },
        entry("a", null, { role: "user", content: "Go." }),
        entry("b", "a", reply("Left.")),
        { type: "branch_summary", id: "c", parentId: "a", fromId: "b", summary: "Left was wrong." },
        entry("d", "c", reply("Right.")),
        { type: "label", id: "e", parentId: "d", targetId: "a", label: "start" },
      ]
        .map((line) => JSON.stringify(line))
        .join("\n"),
    );
    expect(saidBy(reading.conversation.messages)).toEqual([
      ["user", "text", "Go."],
      ["user", "text", "<summary>\nLeft was wrong.\n</summary>"],
      ["assistant", "text", "Right."],
    ]);
    expect(reading.sideCalls).toMatchObject([{ usage: { inputTokens: 5, outputTokens: 1 } }]);
    expect(reading.calls).toMatchObject([{ prompt: { from: 0, to: 2 }, reply: 2 }]);
  });

  it("gives all warnings in the order of the log", () => {
    const log = [JSON.stringify(HEADER), '{"type":"message"}', '{"cut'].join("\n");
    expect(read(log).warnings.map(({ line }) => line)).toEqual([2, 3]);
  });

  it("reads a session in which nothing was said yet", () => {
    expect(read(JSON.stringify(HEADER))).toMatchObject({ conversation: { messages: [] }, calls: [] });
  });
});
