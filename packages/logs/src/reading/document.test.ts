import { describe, expect, it } from "vitest";
import { messageList, parseDocument, parseLines } from "./document.ts";

describe("parseDocument", () => {
  it("parses one JSON document, and as one line if it is an object", () => {
    expect(parseDocument('{\n"a": 1\n}')).toEqual({
      value: { a: 1 },
      lines: [{ line: 1, value: { a: 1 } }],
      warnings: [],
    });
    expect(parseDocument("[1]")).toEqual({ value: [1], lines: [], warnings: [] });
  });

  it("parses numbered lines with any line ending and skips blank ones", () => {
    expect(parseDocument('\uFEFF{"a":1}\r\n\r\n{"b":2}\n')).toEqual({
      lines: [
        { line: 1, value: { a: 1 } },
        { line: 3, value: { b: 2 } },
      ],
      warnings: [],
    });
  });

  it("warns about lines that are not JSON objects", () => {
    const { lines, warnings } = parseDocument('{"a":1}\n{"b":\n[2]');
    expect(lines).toHaveLength(1);
    expect(warnings).toEqual([
      { line: 2, message: "the line of 5 characters was skipped: it is not valid JSON" },
      { line: 3, message: "the line was skipped: it is not a JSON object" },
    ]);
  });

  it("parses deeply nested JSON", () => {
    const depth = 200_000;
    expect(parseDocument("[".repeat(depth) + "]".repeat(depth)).warnings).toEqual([]);
  });
});

describe("parseLines", () => {
  it("parses lines one by one like a text", () => {
    const text = '{"a":1}\n\n{"b":\n[2]\n{"c":3}';
    expect(parseLines(text.split("\n"))).toEqual(parseDocument(text));
  });
});

describe("messageList", () => {
  it("returns the list itself or the one in the body", () => {
    expect(messageList(parseDocument("[1]"))).toEqual({ body: {}, list: [1] });
    expect(messageList(parseDocument('{"messages":[1],"model":"m"}'))).toMatchObject({
      body: { model: "m" },
      list: [1],
    });
    expect(messageList(parseDocument('{"messages":5}')).list).toEqual([]);
    expect(messageList(parseDocument("not JSON")).list).toEqual([]);
  });
});
