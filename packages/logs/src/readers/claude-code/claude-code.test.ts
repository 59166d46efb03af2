import { describe, expect, it } from "vitest";
import { parseDocument } from "../../document.ts";
import { makeLog, makeReplyLine, makeSummaryLine, makeUserLine } from "../../testing/claude-code.ts";
import { saidBy } from "../../testing/script.ts";
import { claudeCode } from "./claude-code.ts";

function read(log: string) {
  return claudeCode.read(parseDocument(log))!;
}

describe("claudeCode", () => {
  it("counts the calls of sub-agents and of branches that were given up apart, each once", () => {
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
    const reading = read([first, second?.slice(0, 40), ...rest].join("\n"));
    expect(saidBy(reading.conversation.messages)).toEqual([
      ["user", "text", "One."],
      ["user", "text", "Three."],
    ]);
    expect(reading.warnings).toEqual([{ line: 2, message: expect.stringContaining("40 characters") }]);
  });

  it("gives all warnings in the order of the log", () => {
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

  it("gives titles, compactions and where the log continues another in order", () => {
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
