import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callsIn } from "./xml-calls.ts";

function read(text: string) {
  return callsIn(text).map(({ name, from, to, input, values }) => ({
    name,
    call: text.slice(from, to),
    input,
    values: values.map((value) => text.slice(value.from, value.to)),
  }));
}

describe("callsIn", () => {
  it("reads a call with its parameters after other text", () => {
    const call = "<read_file>\n<path>src/a.ts</path>\n<line_range>1-20</line_range>\n</read_file>";
    expect(read(`I look at it first.\n\n${call}\n`)).toEqual([
      { name: "read_file", call, input: { path: "src/a.ts", line_range: "1-20" }, values: ["src/a.ts", "1-20"] },
    ]);
  });

  it("reads nested parameters, and repeated ones as a list", () => {
    const call =
      "<read_file>\n<args>\n<file>\n<path>a.ts</path>\n</file>\n<file>\n<path>b.ts</path>\n<line_range>1-5</line_range>\n</file>\n</args>\n</read_file>";
    expect(read(call)).toEqual([
      {
        name: "read_file",
        call,
        input: { args: { file: [{ path: "a.ts" }, { path: "b.ts", line_range: "1-5" }] } },
        values: ["a.ts", "b.ts", "1-5"],
      },
    ]);
  });

  it("reads the diff of several files", () => {
    const call =
      "<apply_diff><args><file><path>a.ts</path><diff><content>x\n<b></content><start_line>3</start_line></diff></file></args></apply_diff>";
    expect(read(call)).toMatchObject([
      { input: { args: { file: { path: "a.ts", diff: { content: "x\n<b>", start_line: "3" } } } } },
    ]);
  });

  it("reads a file's text up to the last closing tag, whatever tags it contains", () => {
    const page = "<content>\n<p>Hello</p>\n</content>\n<footer>\n<write_to_file>not a call</write_to_file>\n</footer>";
    const call = `<write_to_file>\n<path>a.html</path>\n<content>\n${page}\n</content>\n<line_count>6</line_count>\n</write_to_file>`;
    expect(read(call)).toMatchObject([{ call, input: { path: "a.html", content: page, line_count: "6" } }]);
  });

  it("reads several calls in one text", () => {
    const text = "<list_files><path>.</path></list_files> and <list_files><path>src</path></list_files>";
    expect(read(text).map(({ input }) => input)).toEqual([{ path: "." }, { path: "src" }]);
  });

  it("reads a call without parameters", () => {
    expect(read("<attempt_completion>\n</attempt_completion>")).toMatchObject([{ input: {}, values: [] }]);
  });

  it("reads an empty parameter as an empty text", () => {
    expect(read("<list_files><path></path></list_files>")).toMatchObject([{ input: { path: "" }, values: [] }]);
  });

  it.each([
    ["in a fence", "```xml\n<read_file>\n<path>a</path>\n</read_file>\n```"],
    ["in backticks", "Use `<read_file><path>a</path></read_file>` for that."],
    ["of an unknown tool", "<div>\n<path>a</path>\n</div>"],
    ["around plain words", "<read_file> reads a file and </read_file> ends it."],
    ["that is never closed", "<read_file>\n<path>a</path>"],
    ["with an open parameter", "<read_file>\n<path>a\n</read_file>"],
    ["with words between its parameters", "<read_file>\n<path>a</path> and so on <b></b>\n</read_file>"],
  ])("finds no call %s", (_, text) => {
    expect(read(text)).toEqual([]);
  });

  it("reads a call after a fence", () => {
    const text = "```\n<read_file><path>no</path></read_file>\n```\n<read_file><path>yes</path></read_file>";
    expect(read(text)).toMatchObject([{ input: { path: "yes" } }]);
  });

  it("never throws, and returns spans in order for any text", () => {
    const piece = fc.constantFrom(
      "<read_file>",
      "</read_file>",
      "<args>",
      "</args>",
      "<file>",
      "</file>",
      "<path>",
      "</path>",
      "<content>",
      "</content>",
      "```",
      "`",
      "\n",
      "a",
      "<",
      "漢",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join("");
        const spans = callsIn(text).flatMap((call) => [
          { from: call.from, to: call.from },
          ...call.values,
          { from: call.to, to: call.to },
        ]);
        for (const [index, { from, to }] of spans.entries()) {
          expect(from).toBeLessThanOrEqual(to);
          expect(from).toBeGreaterThanOrEqual(spans[index - 1]?.to ?? 0);
          expect(to).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("stops searching a text that consists of opening tags", () => {
    expect(callsIn(`${"<read_file>".repeat(200_000)}</read_file>`)).toEqual([]);
  });
});
