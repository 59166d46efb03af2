import type { JsonObject } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { readClaudeCode } from "../../read-log.ts";
import { makeLog, makeReplyLine, makeSummaryLine, makeUserLine } from "../../testing/claude-code.ts";
import { describeReader } from "../../testing/describe-reader.ts";
import { type Reply, type Script, type Step, saidBy, UNKNOWN_BLOCK } from "../../testing/script.ts";

describeReader({
  format: "claude-code",
  read: readClaudeCode,
  write: writeLines,
  layout: "lines",
  recordsUsage: true,
});

/** One line for each block of a reply and one for each result, which hangs on the line of its call. */
function writeLines(script: Script): JsonObject[] {
  const lines: JsonObject[] = [{ type: "summary", summary: "A session", leafUuid: "elsewhere" }];
  const callLines = new Map<string, string>();
  for (const { line, callId, answers } of script.flatMap(writeStep)) {
    const uuid = `line-${lines.length}`;
    const parentUuid = callLines.get(answers ?? "") ?? lines.at(-1)?.uuid ?? null;
    lines.push({ ...line, uuid, parentUuid, isSidechain: false, timestamp: "2026-01-02T03:04:05.000Z" });
    if (callId !== undefined) callLines.set(callId, uuid);
  }
  return lines;
}

interface WrittenLine {
  readonly line: JsonObject;
  /** The call that the line makes. */
  readonly callId?: string;
  /** The call that the line answers. */
  readonly answers?: string;
}

function writeStep(step: Step, number: number): WrittenLine[] {
  if (step.kind === "user") return [{ line: makeUserLine(step.text) }];
  if (step.kind === "reply") return writeReply(step, number);
  return step.results.map(({ callId, text }) => {
    const content = [{ type: "tool_result", tool_use_id: callId, content: text }];
    return { line: makeUserLine(content, { toolUseResult: { stdout: text } }), answers: callId };
  });
}

/** Only the last line of a reply has the final count of its output. */
function writeReply(reply: Reply, number: number): WrittenLine[] {
  const blocks: { block: JsonObject; callId?: string }[] = [
    { block: { type: "text", text: reply.text } },
    ...(reply.hasUnknownBlock ? [{ block: UNKNOWN_BLOCK }] : []),
    ...reply.calls.map((call) => ({ block: { type: "tool_use", ...call }, callId: call.id })),
  ];
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = reply.usage;
  return blocks.map(({ block, callId }, index) => ({
    ...(callId !== undefined && { callId }),
    line: {
      type: "assistant",
      requestId: `req-${number}`,
      message: {
        id: `msg-${number}`,
        role: "assistant",
        model: "claude-sonnet-4-5",
        content: [block],
        usage: {
          input_tokens: inputTokens,
          cache_read_input_tokens: cacheReadTokens,
          cache_creation_input_tokens: cacheWriteTokens,
          output_tokens: index === blocks.length - 1 ? outputTokens : 1,
        },
      },
    },
  }));
}

describe("readClaudeCode", () => {
  it("counts the calls of sub-agents and of branches that were given up apart, each once", () => {
    const aside = { isSidechain: true, id: "m-side", model: "claude-haiku-4-5" };
    const reading = readClaudeCode(
      makeLog(
        makeUserLine("Go."),
        makeReplyLine("Loo", { ...aside, usage: { input_tokens: 7, output_tokens: 1 } }),
        makeReplyLine("king.", { ...aside, usage: { input_tokens: 7, output_tokens: 3 } }),
        makeReplyLine("Left.", { parentUuid: "u0" }),
        makeUserLine("No, right.", { parentUuid: "u0" }),
        makeReplyLine("Right."),
      ),
    );
    expect(saidBy(reading.conversation.messages)).toEqual([
      ["user", "text", "Go."],
      ["user", "text", "No, right."],
      ["assistant", "text", "Right."],
    ]);
    expect(reading.calls).toHaveLength(1);
    expect(reading.sideCalls).toEqual([
      {
        model: "claude-haiku-4-5",
        usage: { inputTokens: 7, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 3 },
        outcome: "finished",
      },
      { model: "claude-opus-4-5", outcome: "finished" },
    ]);
  });

  it("skips a line that is cut off and keeps everything before it", () => {
    const [first, second, ...rest] = makeLog(makeUserLine("One."), makeReplyLine("Two."), makeUserLine("Three.")).split(
      "\n",
    );
    const reading = readClaudeCode([first, second?.slice(0, 40), ...rest].join("\n"));
    expect(saidBy(reading.conversation.messages)).toEqual([
      ["user", "text", "One."],
      ["user", "text", "Three."],
    ]);
    expect(reading.warnings).toEqual([{ line: 2, message: expect.stringContaining("40 characters") }]);
  });

  it("gives all warnings in the order of the log", () => {
    const log = makeLog(makeUserLine("Go."), { type: "user" }, makeReplyLine());
    expect(readClaudeCode(`${log}\n{"cut`).warnings.map(({ line }) => line)).toEqual([2, 4]);
    expect(readClaudeCode(`{"cut\n${log}`).warnings.map(({ line }) => line)).toEqual([1, 3]);
  });

  it("reads thinking with its signature and images", () => {
    const thinking = { type: "thinking", thinking: "Hm.", signature: "c2ln" };
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
    const { conversation } = readClaudeCode(makeLog(makeUserLine([image]), makeReplyLine([thinking])));
    expect(conversation.messages).toMatchObject([
      { blocks: [{ type: "image", source: { kind: "base64", mediaType: "image/png", data: "AAAA" } }] },
      { blocks: [{ type: "thinking", text: "Hm.", signature: "c2ln", vendor: "anthropic" }] },
    ]);
  });

  it("gives titles, compactions and where the log continues another in order", () => {
    const log = makeLog(
      { type: "summary", summary: "A", uuid: null },
      makeUserLine("Go.", { parentUuid: "in another file" }),
      makeSummaryLine("Gone."),
      makeReplyLine(),
      { type: "ai-title", aiTitle: "B", uuid: null },
    );
    expect(readClaudeCode(log).events).toEqual([
      { kind: "title", line: 1, text: "A" },
      { kind: "continuation", line: 2 },
      { kind: "compaction", line: 3, at: 1, keptFrom: 1, summary: "Gone." },
      { kind: "title", line: 5, text: "B" },
    ]);
  });
});
