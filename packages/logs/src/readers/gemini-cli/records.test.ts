import { describe, expect, it } from "vitest";
import { parseDocument } from "../../reading/document.ts";
import { isSession, readRecords } from "./records.ts";

const record = (id: string, type = "user") => ({ id, type, content: id });
const SESSION = { sessionId: "s", projectHash: "p" };

function read(...lines: readonly object[]) {
  const { records, takenBack } = readRecords(parseDocument(lines.map((line) => JSON.stringify(line)).join("\n")));
  return [records.map(({ value }) => value.id), takenBack.map(({ value }) => value.id)];
}

describe("readRecords", () => {
  it("takes the last version of each message, where the first one stood", () => {
    const lines = [SESSION, record("1"), record("2", "gemini"), record("3"), { ...record("2", "gemini"), tokens: {} }];
    expect(read(...lines)).toEqual([["1", "2", "3"], []]);
  });

  it("takes back what was rewound, and everything where it is not known to where", () => {
    expect(read(SESSION, record("1"), record("2"), record("3"), { $rewindTo: "2" }, record("4"))).toEqual([
      ["1", "4"],
      ["2", "3"],
    ]);
    expect(read(SESSION, record("1"), { $rewindTo: "9" })).toEqual([[], ["1"]]);
  });

  it("begins anew from a checkpoint", () => {
    expect(read(SESSION, record("1"), { $set: { messages: [record("5"), 7] } }, { $set: { summary: "S" } })).toEqual([
      ["5"],
      [],
    ]);
  });

  it("reports entries of a whole document that are no messages", () => {
    const document = parseDocument(JSON.stringify({ ...SESSION, messages: [record("1"), 5] }));
    expect(readRecords(document)).toMatchObject({ records: [{ line: 1 }], warnings: [{ line: 2 }] });
  });
});

describe("isSession", () => {
  it.each([
    [true, JSON.stringify(SESSION)],
    [true, JSON.stringify({ messages: [record("1", "gemini")] })],
    [true, `${JSON.stringify(record("1", "gemini"))}\n${JSON.stringify(record("2"))}`],
    [false, "[]"],
    [false, '{"messages":[{"role":"user","content":"Hi."}]}'],
    [false, '{"type":"user","uuid":"u","content":"x"}\n{"type":"user","uuid":"v","content":"x"}'],
  ])("is %s for %s", (isOwn, text) => {
    expect(isSession(parseDocument(text))).toBe(isOwn);
  });
});
