import type { JsonObject } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { readPi } from "../../read-log.ts";
import { describeReader } from "../../testing/describe-reader.ts";
import { type Reply, type Script, type Step, saidBy, UNKNOWN_BLOCK } from "../../testing/script.ts";

const HEADER = { type: "session", id: "s1", cwd: "/project", provider: "anthropic", modelId: "claude-opus-4-5" };

describeReader({ format: "pi", read: readPi, write: writeLinear, layout: "lines", recordsUsage: true });

describe("as a tree", () => {
  describeReader({ format: "pi", read: readPi, write: writeTree, layout: "lines", recordsUsage: true });
});

function writeLinear(script: Script): JsonObject[] {
  return [HEADER, ...script.flatMap(writeStep).map((message) => ({ type: "message", message }))];
}

function writeTree(script: Script): JsonObject[] {
  const entries = writeLinear(script).slice(1);
  const linked = entries.map((entry, index) => ({
    ...entry,
    id: `e${index}`,
    parentId: index === 0 ? null : `e${index - 1}`,
  }));
  return [{ ...HEADER, version: 3 }, ...linked];
}

function writeStep(step: Step): JsonObject[] {
  if (step.kind === "user") return [{ role: "user", content: [{ type: "text", text: step.text }] }];
  if (step.kind === "reply") return [writeReply(step)];
  return step.results.map(({ callId, text }) => ({
    role: "toolResult",
    toolCallId: callId,
    toolName: "read",
    content: [{ type: "text", text }],
    isError: false,
  }));
}

function writeReply({ text, calls, usage, hasUnknownBlock }: Reply): JsonObject {
  return {
    role: "assistant",
    api: "anthropic-messages",
    model: "claude-opus-4-5",
    content: [
      { type: "text", text },
      ...(hasUnknownBlock ? [UNKNOWN_BLOCK] : []),
      ...calls.map(({ id, name, input }) => ({ type: "toolCall", id, name, arguments: input })),
    ],
    usage: {
      input: usage.inputTokens,
      cacheRead: usage.cacheReadTokens,
      cacheWrite: usage.cacheWriteTokens,
      output: usage.outputTokens,
    },
    stopReason: "stop",
  };
}

describe("readPi", () => {
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
    const reading = readPi(
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
    expect(readPi(log).warnings.map(({ line }) => line)).toEqual([2, 3]);
  });

  it("reads a session in which nothing was said yet", () => {
    expect(readPi(JSON.stringify(HEADER))).toMatchObject({ conversation: { messages: [] }, calls: [] });
  });
});
