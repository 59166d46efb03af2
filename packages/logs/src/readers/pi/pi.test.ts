import type { JsonObject } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { type LogLine, parseDocument } from "../../reading/document.ts";
import { messageBlocks } from "../../testing/script.ts";
import { callRecord, pi, transcribe } from "./pi.ts";

const HEADER = { type: "session", id: "s1", cwd: "/project", provider: "anthropic", modelId: "claude-opus-4-5" };

function read(log: string) {
  return pi.read(parseDocument(log))!;
}

describe("pi", () => {
  it("follows the newest branch and counts the calls of other branches separately", () => {
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
    expect(messageBlocks(reading.conversation.messages)).toEqual([
      ["user", "text", "Go."],
      ["user", "text", "<summary>\nLeft was wrong.\n</summary>"],
      ["assistant", "text", "Right."],
    ]);
    expect(reading.sideCalls).toMatchObject([{ usage: { inputTokens: 5, outputTokens: 1 } }]);
    expect(reading.calls).toMatchObject([{ prompt: { from: 0, to: 2 }, reply: 2 }]);
  });

  it("returns all warnings in log order", () => {
    const log = [JSON.stringify(HEADER), '{"type":"message"}', '{"cut'].join("\n");
    expect(read(log).warnings.map(({ line }) => line)).toEqual([2, 3]);
  });

  it("reads an empty session", () => {
    expect(read(JSON.stringify(HEADER))).toMatchObject({ conversation: { messages: [] }, calls: [] });
  });
});

/** Entries on the lines after the header. */
function makeEntries(...values: readonly JsonObject[]): LogLine[] {
  return values.map((value, index) => ({ line: index + 2, value: { id: `e${index}`, ...value } }));
}

function makeMessage(role: string, text: string, fields: JsonObject = {}): JsonObject {
  return { type: "message", message: { role, content: text === "" ? [] : [{ type: "text", text }], ...fields } };
}

describe("transcribe", () => {
  it("reconstructs the prompt after each compaction", () => {
    const compaction = { type: "compaction", tokensBefore: 175_004 };
    const { messages, calls, events } = transcribe(
      makeEntries(
        makeMessage("user", "One."),
        makeMessage("assistant", "Two."),
        { type: "model_change", modelId: "claude-opus-4-5" },
        makeMessage("user", "Three."),
        { ...compaction, summary: "A.", firstKeptEntryIndex: 3 },
        makeMessage("assistant", "Four."),
        { ...compaction, summary: "B.", firstKeptEntryId: "e5" },
        makeMessage("user", "Five."),
        makeMessage("assistant", "Six."),
      ),
    );
    expect(messages).toHaveLength(6);
    expect(events).toEqual([
      { kind: "compaction", line: 6, at: 3, keptFrom: 2, summary: "A.", tokensBefore: 175_004 },
      { kind: "compaction", line: 8, at: 4, keptFrom: 3, summary: "B.", tokensBefore: 175_004 },
    ]);
    expect(calls.map(({ prompt }) => [prompt.from, prompt.to])).toEqual([
      [0, 1],
      [2, 3],
      [3, 5],
    ]);
    expect(calls[2]?.prompt.summary?.blocks).toEqual([{ type: "text", text: "<summary>\nB.\n</summary>" }]);
  });

  it("keeps nothing if a compaction does not name the kept messages", () => {
    const { events } = transcribe(makeEntries(makeMessage("user", "One."), { type: "compaction", summary: "A." }));
    expect(events).toEqual([{ kind: "compaction", line: 3, at: 1, keptFrom: 1, summary: "A." }]);
  });

  it("counts a call that was aborted before its first token, without a message", () => {
    const { messages, calls } = transcribe(
      makeEntries(
        makeMessage("user", "Go."),
        makeMessage("assistant", "", { stopReason: "aborted" }),
        makeMessage("user", "Go on."),
      ),
    );
    expect(messages.map(({ role }) => role)).toEqual(["user", "user"]);
    expect(calls).toEqual([{ outcome: "aborted", prompt: { from: 0, to: 1 } }]);
  });

  it("reads messages of extensions and skips those excluded from the context", () => {
    const { messages } = transcribe(
      makeEntries(
        { type: "custom_message", customType: "x", content: "Note.", display: false },
        makeMessage("bashExecution", "", { command: "ls", excludeFromContext: true }),
        { type: "custom", customType: "x", data: 5 },
      ),
    );
    expect(messages).toMatchObject([{ role: "user", blocks: [{ text: "Note." }] }]);
  });

  it("reads names and warns about unreadable entries", () => {
    const { events, warnings } = transcribe(
      makeEntries({ type: "session_info", name: "Refactor" }, { type: "session_info" }, { type: "message" }),
    );
    expect(events).toEqual([{ kind: "title", line: 2, text: "Refactor" }]);
    expect(warnings.map(({ line }) => line)).toEqual([4]);
  });
});

describe("callRecord", () => {
  it("contains model, usage, cost and the time of the reply", () => {
    const usage = { input: 3, output: 7, cacheRead: 100, cacheWrite: 20, cost: { input: 0.1, total: 0.4 } };
    const message = { model: "claude-opus-4-5", usage, stopReason: "toolUse", timestamp: 1_000 };
    expect(callRecord({ timestamp: "1970-01-01T00:00:09.000Z", message })).toEqual({
      model: "claude-opus-4-5",
      usage: { inputTokens: 3, cacheReadTokens: 100, cacheWriteTokens: 20, outputTokens: 7 },
      costUsd: 0.4,
      timestampMs: 9_000,
      outcome: "finished",
    });
  });

  it.each([
    ["aborted", "aborted"],
    ["error", "failed"],
    ["length", "finished"],
  ])("maps the stop reason %s to %s", (stopReason, outcome) => {
    expect(callRecord({ message: { stopReason } })).toEqual({ outcome });
  });
});
