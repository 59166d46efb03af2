import type { JsonObject } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { makeBoundary, makeLines, makeReplyLine, makeSummaryLine, makeUserLine } from "../../testing/claude-code.ts";
import { messageBlocks } from "../../testing/script.ts";
import { transcribe } from "./transcript.ts";

function transcriptOf(...lines: readonly JsonObject[]) {
  return transcribe(makeLines(...lines));
}

const TEXT = { type: "text", text: "Reading." };
const CALL = { type: "tool_use", id: "t1", name: "Read", input: { path: "a" } };

describe("transcribe", () => {
  it("joins the lines of one reply across other lines", () => {
    const { messages, calls } = transcriptOf(
      makeUserLine("Read a."),
      makeReplyLine([TEXT], { id: "m1" }),
      makeUserLine("Quickly."),
      makeReplyLine([CALL], { id: "m1" }),
    );
    expect(messageBlocks(messages)).toEqual([
      ["user", "text", "Read a."],
      ["assistant", "text", "Reading."],
      ["assistant", "call", "t1", "Read", { path: "a" }],
      ["user", "text", "Quickly."],
    ]);
    expect(calls).toMatchObject([{ prompt: { from: 0, to: 1 }, reply: 1 }]);
    expect(messages[1]?.native).toEqual({
      wire: "anthropic-messages",
      value: { role: "assistant", content: [TEXT, CALL] },
    });
  });

  it("ignores blocks that a later line repeats", () => {
    const { messages } = transcriptOf(makeReplyLine([TEXT], { id: "m1" }), makeReplyLine([TEXT, CALL], { id: "m1" }));
    expect(messages.map(({ blocks }) => blocks.map(({ type }) => type))).toEqual([["text", "tool-call"]]);
  });

  it("reads a reply with any number of blocks", () => {
    const blocks = Array.from({ length: 200_000 }, (_, number) => ({ type: "text", text: `${number}` }));
    expect(transcriptOf(makeReplyLine(blocks)).messages[0]?.blocks).toHaveLength(200_000);
  });

  it("uses the usage of the last line of a reply", () => {
    const { calls } = transcriptOf(
      makeReplyLine([TEXT], { id: "m1", usage: { input_tokens: 5, output_tokens: 1 } }),
      makeReplyLine([CALL], { id: "m1", usage: { input_tokens: 5, output_tokens: 90 } }),
    );
    expect(calls.map(({ usage }) => usage?.outputTokens)).toEqual([90]);
  });

  it("counts a call that returned nothing, without a reply", () => {
    const { messages, calls } = transcriptOf(makeUserLine(), makeReplyLine([]));
    expect(messages).toHaveLength(1);
    expect(calls).toEqual([{ model: "claude-opus-4-5", outcome: "finished", prompt: { from: 0, to: 1 } }]);
  });

  it("reads a reply written by the client as a message, not as a call", () => {
    const { messages, calls } = transcriptOf(makeUserLine(), makeReplyLine("None.", { model: "<synthetic>" }));
    expect(messages).toHaveLength(2);
    expect(calls).toEqual([]);
  });

  it("reconstructs the prompt after a compaction", () => {
    const { messages, calls, compactions } = transcriptOf(
      makeUserLine("One."),
      makeReplyLine("Two."),
      makeBoundary({ compactMetadata: { preTokens: 155_000 } }),
      makeSummaryLine("We counted to two."),
      makeUserLine("Three?"),
      makeReplyLine("Three."),
    );
    expect(compactions).toEqual([
      { kind: "compaction", line: 3, at: 2, keptFrom: 2, summary: "We counted to two.", tokensBefore: 155_000 },
    ]);
    expect(messages).toHaveLength(4);
    expect(calls[0]?.prompt).toEqual({ from: 0, to: 1 });
    expect(calls[1]?.prompt).toMatchObject({ from: 2, to: 3, summary: { blocks: [{ text: "We counted to two." }] } });
  });

  it("keeps the messages that a compaction preserves in the prompt", () => {
    const { calls, compactions } = transcriptOf(
      makeUserLine("One."),
      makeReplyLine([TEXT], { id: "m1" }),
      makeReplyLine([CALL], { id: "m1" }),
      makeBoundary({ compactMetadata: { preservedSegment: { headUuid: "u2" } } }),
      makeSummaryLine("One was said."),
      makeReplyLine("Three."),
    );
    expect(compactions).toMatchObject([{ at: 2, keptFrom: 1 }]);
    expect(calls[1]?.prompt).toMatchObject({ from: 1, to: 2 });
  });

  it("reads a summary without a boundary, as in older versions, as a compaction", () => {
    const { compactions } = transcriptOf(makeUserLine(), makeSummaryLine("Gone."));
    expect(compactions).toEqual([{ kind: "compaction", line: 2, at: 1, keptFrom: 1, summary: "Gone." }]);
  });

  it("separates two compactions", () => {
    const { compactions, messages } = transcriptOf(
      makeUserLine(),
      makeBoundary(),
      makeSummaryLine("A."),
      makeUserLine(),
      makeBoundary(),
      makeSummaryLine("B."),
    );
    expect(compactions.map(({ at, summary }) => [at, summary])).toEqual([
      [1, "A."],
      [2, "B."],
    ]);
    expect(messages).toHaveLength(2);
  });

  it("skips lines that were never sent", () => {
    const { messages, calls, warnings } = transcriptOf(
      makeUserLine(),
      makeReplyLine("You've hit your limit.", { isApiErrorMessage: true }),
      makeUserLine("Only shown.", { isVisibleInTranscriptOnly: true }),
      { type: "system", subtype: "turn_duration", durationMs: 5 },
      { type: "attachment", attachment: { type: "todo_reminder", content: [] } },
      makeUserLine(""),
      makeUserLine([]),
    );
    expect([messages.length, calls.length, warnings.length]).toEqual([1, 0, 0]);
  });

  it("warns about messages without content by line", () => {
    const { warnings } = transcriptOf(
      makeUserLine(),
      { type: "user", message: { role: "user" } },
      { type: "assistant", message: {} },
      { type: "user", isCompactSummary: true, message: { content: 5 } },
    );
    expect(warnings.map(({ line }) => line)).toEqual([2, 3, 4]);
  });
});
