import type { JsonObject } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { makeBoundary, makeLines, makeReplyLine, makeSummaryLine, makeUserLine } from "../../testing/claude-code.ts";
import { mainThread } from "./main-thread.ts";

/** Numbers of the lines that are in the thread. */
function threadOf(...lines: readonly JsonObject[]): number[] {
  return mainThread(makeLines(...lines)).map(({ line }) => line);
}

describe("mainThread", () => {
  it("leaves sub-agents out", () => {
    const aside = { isSidechain: true };
    const lines = [makeUserLine(), makeUserLine("Look.", aside), makeReplyLine("Found.", aside)];
    expect(threadOf(...lines, makeReplyLine("Done.", { parentUuid: "u0" }))).toEqual([1, 4]);
  });

  it("is the sidechain where the log holds nothing else", () => {
    const aside = { isSidechain: true };
    expect(threadOf(makeUserLine("Look.", aside), makeReplyLine("Found.", aside))).toEqual([1, 2]);
  });

  it("follows the newest branch", () => {
    const again = makeUserLine("No, right.", { parentUuid: "u0" });
    expect(threadOf(makeUserLine(), makeReplyLine("Left."), again, makeReplyLine("Right."))).toEqual([1, 3, 4]);
  });

  it("goes on with the line before where the parent is not in the log", () => {
    const lost = makeUserLine("Three.", { parentUuid: "broken" });
    expect(threadOf(makeUserLine(), makeReplyLine(), lost, makeReplyLine())).toEqual([1, 2, 3, 4]);
  });

  it("starts anew at a line without a parent", () => {
    expect(threadOf(makeUserLine(), makeReplyLine(), makeUserLine("New.", { parentUuid: null }))).toEqual([3]);
  });

  it("ignores lines that a resumed session wrote again", () => {
    const line = makeUserLine("Once.", { uuid: "same", parentUuid: null });
    expect(threadOf(line, line)).toEqual([1]);
  });

  it("takes in parallel calls and their results, which hang on lines of their own", () => {
    const call = (id: string) => makeReplyLine([{ type: "tool_use", id, name: "Read", input: {} }], { id: "m1" });
    const result = (id: string, parentUuid: string) =>
      makeUserLine([{ type: "tool_result", tool_use_id: id }], { parentUuid });
    expect(threadOf(makeUserLine(), call("a"), call("b"), result("b", "u2"), result("a", "u1"))).toEqual([
      1, 2, 3, 4, 5,
    ]);
  });

  it("leaves out a second answer on a branch that was given up", () => {
    const call = makeReplyLine([{ type: "tool_use", id: "a", name: "Read", input: {} }]);
    const result = makeUserLine([{ type: "tool_result", tool_use_id: "a" }], { parentUuid: "u1" });
    expect(threadOf(makeUserLine(), call, result, result)).toEqual([1, 2, 4]);
  });

  it("goes back across a compaction by the parent that it names apart", () => {
    const lines = [makeUserLine(), makeReplyLine("Left."), makeReplyLine("Right.", { parentUuid: "u0" })];
    const boundary = makeBoundary({ logicalParentUuid: "u1" });
    expect(threadOf(...lines, boundary, makeSummaryLine("So far."), makeReplyLine())).toEqual([1, 2, 4, 5, 6]);
  });

  it("goes back across the summary of an older version, which names no parent", () => {
    const summary = makeSummaryLine("So far.", { parentUuid: null });
    expect(threadOf(makeUserLine(), makeReplyLine(), summary, makeReplyLine())).toEqual([1, 2, 3, 4]);
  });

  it("takes in a compaction that the thread goes past because recent messages were kept", () => {
    const kept = makeBoundary({ compactMetadata: { preservedSegment: { headUuid: "u1", tailUuid: "u1" } } });
    const next = makeUserLine("Three?", { parentUuid: "u1" });
    expect(threadOf(makeUserLine(), makeReplyLine(), kept, makeSummaryLine("So far."), next)).toEqual([1, 2, 3, 4, 5]);
  });

  it("ends at what the user typed while the model was busy", () => {
    const queued = { type: "attachment", attachment: { type: "queued_command", prompt: "Also b." } };
    expect(threadOf(makeUserLine(), queued)).toEqual([1, 2]);
  });
});
