import { type JsonObject, textMessage } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { parseDocument } from "../../reading/document.ts";
import {
  makeBoundary,
  makeLines,
  makeLog,
  makeReplyLine,
  makeSummaryLine,
  makeUserLine,
} from "../../testing/claude-code.ts";
import { messageBlocks } from "../../testing/script.ts";
import { claudeCode, mainThread, writeThread } from "./claude-code.ts";

function read(log: string) {
  return claudeCode.read(parseDocument(log))!;
}

describe("claudeCode", () => {
  it("counts the calls of sub-agents and abandoned branches separately, each once", () => {
    const aside = { isSidechain: true, id: "m-side", model: "claude-haiku-4-5" };
    const reading = read(
      makeLog(
        makeUserLine("Go."),
        makeReplyLine("Loo", { ...aside, usage: { input_tokens: 7, output_tokens: 1 } }),
        makeReplyLine("king.", { ...aside, usage: { input_tokens: 7, output_tokens: 3 } }),
        makeReplyLine("Left.", { parentUuid: "u0" }),
        makeUserLine("No, right.", { parentUuid: "u0" }),
        makeReplyLine("Right."),
      ),
    );
    expect(messageBlocks(reading.conversation.messages)).toEqual([
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

  it("skips a truncated line and keeps everything before it", () => {
    const [first, second, ...rest] = makeLog(makeUserLine("One."), makeReplyLine("Two."), makeUserLine("Three.")).split(
      "\n",
    );
    const reading = read([first, second?.slice(0, 40), ...rest].join("\n"));
    expect(messageBlocks(reading.conversation.messages)).toEqual([
      ["user", "text", "One."],
      ["user", "text", "Three."],
    ]);
    expect(reading.warnings).toEqual([{ line: 2, message: expect.stringContaining("40 characters") }]);
  });

  it("returns all warnings in log order", () => {
    const log = makeLog(makeUserLine("Go."), { type: "user" }, makeReplyLine());
    expect(read(`${log}\n{"cut`).warnings.map(({ line }) => line)).toEqual([2, 4]);
    expect(read(`{"cut\n${log}`).warnings.map(({ line }) => line)).toEqual([1, 3]);
  });

  it("reads thinking with its signature and images", () => {
    const thinking = { type: "thinking", thinking: "Hm.", signature: "c2ln" };
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
    const { conversation } = read(makeLog(makeUserLine([image]), makeReplyLine([thinking])));
    expect(conversation.messages).toMatchObject([
      { blocks: [{ type: "image", source: { kind: "base64", mediaType: "image/png", data: "AAAA" } }] },
      { blocks: [{ type: "thinking", text: "Hm.", signature: "c2ln", vendor: "anthropic" }] },
    ]);
  });

  it("returns titles, compactions and continuations in order", () => {
    const log = makeLog(
      { type: "summary", summary: "A", uuid: null },
      makeUserLine("Go.", { parentUuid: "in another file" }),
      makeSummaryLine("Gone."),
      makeReplyLine(),
      { type: "ai-title", aiTitle: "B", uuid: null },
    );
    expect(read(log).events).toEqual([
      { kind: "title", line: 1, text: "A" },
      { kind: "continuation", line: 2 },
      { kind: "compaction", line: 3, at: 1, keptFrom: 1, summary: "Gone." },
      { kind: "title", line: 5, text: "B" },
    ]);
  });
});

describe("writeThread", () => {
  it("writes a line per message in the session's envelope, each following the one before", () => {
    const first = { uuid: "u", sessionId: "s", cwd: "/project", timestamp: "2026-01-02T03:04:05Z", toolUseResult: {} };
    const messages = [textMessage("user", "Hi."), textMessage("assistant", "Hello.")];
    const written = writeThread([{ line: 1, value: first }], { system: [], tools: [], messages });
    const [one, two] = written
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(one).toMatchObject({
      parentUuid: null,
      sessionId: "s",
      cwd: "/project",
      type: "user",
      timestamp: first.timestamp,
    });
    expect(one.uuid).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(two).toMatchObject({ parentUuid: one.uuid, type: "assistant", message: { role: "assistant" } });
    expect("toolUseResult" in one).toBe(false);
  });

  it("writes the session's last model in every reply", () => {
    const reply = (model: string) => ({ type: "assistant", message: { role: "assistant", model, content: [] } });
    const thread = ["claude-a", "claude-b", "<synthetic>"].map((model, line) => ({ line, value: reply(model) }));
    const messages = [textMessage("user", "Hi."), textMessage("assistant", "Hello.")];
    const lines = writeThread(thread, { system: [], tools: [], messages }).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).message.model)).toEqual([undefined, "claude-b"]);
  });
});

/** Line numbers of the thread. */
function threadOf(...lines: readonly JsonObject[]): number[] {
  return mainThread(makeLines(...lines)).map(({ line }) => line);
}

describe("mainThread", () => {
  it("skips sub-agents", () => {
    const aside = { isSidechain: true };
    const lines = [makeUserLine(), makeUserLine("Look.", aside), makeReplyLine("Found.", aside)];
    expect(threadOf(...lines, makeReplyLine("Done.", { parentUuid: "u0" }))).toEqual([1, 4]);
  });

  it("is the sidechain if the log contains nothing else", () => {
    const aside = { isSidechain: true };
    expect(threadOf(makeUserLine("Look.", aside), makeReplyLine("Found.", aside))).toEqual([1, 2]);
  });

  it("follows the newest branch", () => {
    const again = makeUserLine("No, right.", { parentUuid: "u0" });
    expect(threadOf(makeUserLine(), makeReplyLine("Left."), again, makeReplyLine("Right."))).toEqual([1, 3, 4]);
  });

  it("continues with the line before if the parent is missing", () => {
    const lost = makeUserLine("Three.", { parentUuid: "broken" });
    expect(threadOf(makeUserLine(), makeReplyLine(), lost, makeReplyLine())).toEqual([1, 2, 3, 4]);
  });

  it("starts at a line without a parent", () => {
    expect(threadOf(makeUserLine(), makeReplyLine(), makeUserLine("New.", { parentUuid: null }))).toEqual([3]);
  });

  it("ignores lines that a resumed session repeats", () => {
    const line = makeUserLine("Once.", { uuid: "same", parentUuid: null });
    expect(threadOf(line, line)).toEqual([1]);
  });

  it("includes parallel calls and their results on separate lines", () => {
    const call = (id: string) => makeReplyLine([{ type: "tool_use", id, name: "Read", input: {} }], { id: "m1" });
    const result = (id: string, parentUuid: string) =>
      makeUserLine([{ type: "tool_result", tool_use_id: id }], { parentUuid });
    expect(threadOf(makeUserLine(), call("a"), call("b"), result("b", "u2"), result("a", "u1"))).toEqual([
      1, 2, 3, 4, 5,
    ]);
  });

  it("skips a second answer on an abandoned branch", () => {
    const call = makeReplyLine([{ type: "tool_use", id: "a", name: "Read", input: {} }]);
    const result = makeUserLine([{ type: "tool_result", tool_use_id: "a" }], { parentUuid: "u1" });
    expect(threadOf(makeUserLine(), call, result, result)).toEqual([1, 2, 4]);
  });

  it("crosses a compaction by its logical parent", () => {
    const lines = [makeUserLine(), makeReplyLine("Left."), makeReplyLine("Right.", { parentUuid: "u0" })];
    const boundary = makeBoundary({ logicalParentUuid: "u1" });
    expect(threadOf(...lines, boundary, makeSummaryLine("So far."), makeReplyLine())).toEqual([1, 2, 4, 5, 6]);
  });

  it("crosses the summary of an older version without a parent", () => {
    const summary = makeSummaryLine("So far.", { parentUuid: null });
    expect(threadOf(makeUserLine(), makeReplyLine(), summary, makeReplyLine())).toEqual([1, 2, 3, 4]);
  });

  it("includes a compaction that the path bypasses because recent messages were kept", () => {
    const kept = makeBoundary({ compactMetadata: { preservedSegment: { headUuid: "u1", tailUuid: "u1" } } });
    const next = makeUserLine("Three?", { parentUuid: "u1" });
    expect(threadOf(makeUserLine(), makeReplyLine(), kept, makeSummaryLine("So far."), next)).toEqual([1, 2, 3, 4, 5]);
  });

  it("ends with a prompt queued while the model was busy", () => {
    const queued = { type: "attachment", attachment: { type: "queued_command", prompt: "Also b." } };
    expect(threadOf(makeUserLine(), queued)).toEqual([1, 2]);
  });
});
