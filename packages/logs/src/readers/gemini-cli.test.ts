import type { JsonObject, Message } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { parseDocument } from "../reading/document.ts";
import { messageBlocks } from "../testing/script.ts";
import { decodeReply, decodeUser, geminiCli, isSession, readRecords } from "./gemini-cli.ts";

const SESSION = { sessionId: "s", projectHash: "p", summary: "A session" };

function read(messages: readonly object[]) {
  return geminiCli.read(parseDocument(JSON.stringify({ ...SESSION, messages })));
}

describe("geminiCli", () => {
  it("reads usage including thoughts, and skips notes to the user", () => {
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

  it("counts a call without a reply, and one that was rewound", () => {
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

  it("skips empty messages and keeps unknown parts", () => {
    const messages = [
      { id: "1", type: "user", content: null },
      { id: "2", type: "user", content: [[]] },
    ];
    expect(read(messages)?.conversation.messages).toMatchObject([{ blocks: [{ type: "opaque" }] }]);
    expect(read([])).toBeUndefined();
  });
});

const record = (id: string, type = "user") => ({ id, type, content: id });
const HEADER = { sessionId: "s", projectHash: "p" };

function readIds(...lines: readonly object[]) {
  const { records, rewound } = readRecords(parseDocument(lines.map((line) => JSON.stringify(line)).join("\n")));
  return [records.map(({ value }) => value.id), rewound.map(({ value }) => value.id)];
}

describe("readRecords", () => {
  it("uses the last version of each message in the first one's position", () => {
    const lines = [HEADER, record("1"), record("2", "gemini"), record("3"), { ...record("2", "gemini"), tokens: {} }];
    expect(readIds(...lines)).toEqual([["1", "2", "3"], []]);
  });

  it("removes rewound messages, or all of them if the id is unknown", () => {
    expect(readIds(HEADER, record("1"), record("2"), record("3"), { $rewindTo: "2" }, record("4"))).toEqual([
      ["1", "4"],
      ["2", "3"],
    ]);
    expect(readIds(HEADER, record("1"), { $rewindTo: "9" })).toEqual([[], ["1"]]);
  });

  it("restarts from a checkpoint", () => {
    expect(readIds(HEADER, record("1"), { $set: { messages: [record("5"), 7] } }, { $set: { summary: "S" } })).toEqual([
      ["5"],
      [],
    ]);
  });

  it("warns about entries of a document that are not messages", () => {
    const document = parseDocument(JSON.stringify({ ...HEADER, messages: [record("1"), 5] }));
    expect(readRecords(document)).toMatchObject({ records: [{ line: 1 }], warnings: [{ line: 2 }] });
  });
});

describe("isSession", () => {
  it.each([
    [true, JSON.stringify(HEADER)],
    [true, JSON.stringify({ messages: [record("1", "gemini")] })],
    [true, `${JSON.stringify(record("1", "gemini"))}\n${JSON.stringify(record("2"))}`],
    [false, "[]"],
    [false, '{"messages":[{"role":"user","content":"Hi."}]}'],
    [false, '{"type":"user","uuid":"u","content":"x"}\n{"type":"user","uuid":"v","content":"x"}'],
  ])("is %s for %s", (isOwn, text) => {
    expect(isSession(parseDocument(text))).toBe(isOwn);
  });
});

const blocksOf = (message: Message | undefined) => messageBlocks(message === undefined ? [] : [message]);

describe("decodeUser", () => {
  it.each<[JsonObject, unknown[]]>([
    [{ content: "Hi." }, ["Hi."]],
    [{ content: { text: "Hi." } }, ["Hi."]],
    [{ content: ["Hi.", { text: "There." }] }, ["Hi.", "There."]],
    [{ content: null }, []],
  ])("reads %j", (record, texts) => {
    expect(blocksOf(decodeUser(record))).toEqual(texts.map((text) => ["user", "text", text]));
  });
});

describe("decodeReply", () => {
  it("combines the separate fields of older versions", () => {
    const { message, results } = decodeReply({
      content: "Fine.",
      thoughts: [{ subject: "Plan", description: "Read it." }, { description: "Then stop." }],
      toolCalls: [
        { id: "c1", name: "read", args: { path: "a" }, result: "A" },
        { id: "c2", name: "bash", args: {}, result: null },
      ],
    });
    expect(message?.blocks).toMatchObject([
      { type: "thinking", text: "**Plan** Read it." },
      { type: "thinking", text: "Then stop." },
      { type: "text", text: "Fine." },
      { type: "tool-call", id: "c1", name: "read", input: { path: "a" } },
      { type: "tool-call", id: "c2" },
    ]);
    expect(blocksOf(results)).toEqual([["user", "result", "c1", "A"]]);
  });

  it("uses only the parts if they contain the calls", () => {
    const call = { functionCall: { id: "c1", name: "read", args: {} } };
    const record = {
      content: [{ text: "" }, call],
      thoughts: [{ description: "Hm." }],
      toolCalls: [{ id: "c1", name: "read" }],
    };
    expect(decodeReply(record).message?.blocks).toMatchObject([{ type: "tool-call", id: "c1" }]);
  });

  it("is empty for an empty record", () => {
    expect(decodeReply({ content: "" })).toEqual({ message: undefined, results: undefined });
  });
});
