import { describe, expect, it } from "vitest";
import { messageList, parseDocument, parseLines } from "./document.ts";

describe("parseDocument", () => {
  it("reads one JSON document, also as the one line that it may be", () => {
    expect(parseDocument('{\n"a": 1\n}')).toEqual({
      value: { a: 1 },
      lines: [{ line: 1, value: { a: 1 } }],
      warnings: [],
    });
    expect(parseDocument("[1]")).toEqual({ value: [1], lines: [], warnings: [] });
  });

  it("reads lines with their numbers, whatever ends them, and passes over blank ones", () => {
    expect(parseDocument('\uFEFF{"a":1}\r\n\r\n{"b":2}\n')).toEqual({
      lines: [
        { line: 1, value: { a: 1 } },
        { line: 3, value: { b: 2 } },
      ],
      warnings: [],
    });
  });

  it("reports the lines that are no JSON objects", () => {
    const { lines, warnings } = parseDocument('{"a":1}\n{"b":\n[2]');
    expect(lines).toHaveLength(1);
    expect(warnings).toEqual([
      { line: 2, message: "the line of 5 characters is not whole JSON; it was skipped" },
      { line: 3, message: "the line is no JSON object; it was skipped" },
    ]);
  });

  it("does not stumble over depth", () => {
    const depth = 200_000;
    expect(parseDocument("[".repeat(depth) + "]".repeat(depth)).warnings).toEqual([]);
  });
});

describe("parseLines", () => {
  it("reads lines as they come, as it reads them in a text", () => {
    const text = '{"a":1}\n\n{"b":\n[2]\n{"c":3}';
    expect(parseLines(text.split("\n"))).toEqual(parseDocument(text));
  });
});

describe("messageList", () => {
  it("is the list itself or the one in the body", () => {
    expect(messageList(parseDocument("[1]"))).toEqual({ body: {}, list: [1] });
    expect(messageList(parseDocument('{"messages":[1],"model":"m"}'))).toMatchObject({
      body: { model: "m" },
      list: [1],
    });
    expect(messageList(parseDocument('{"messages":5}')).list).toEqual([]);
    expect(messageList(parseDocument("not JSON")).list).toEqual([]);
  });
});
