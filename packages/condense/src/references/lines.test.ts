import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readLineNumber } from "./line-format.ts";
import { contentStart, Lines, type Passage, plainLines } from "./lines.ts";

function readLines(...passages: readonly (Passage & { readonly text: string })[]): Lines {
  const lines = new Lines((passage) => passages[passage]?.text ?? "");
  for (const passage of passages) lines.add(passage);
  return lines;
}

function read(text: string, group = ""): Lines {
  return readLines({ text, from: 0, to: text.length, group });
}

function rowsOf(lines: Lines): number[] {
  return Array.from({ length: lines.rows }, (_, row) => row);
}

function saying(line: string, group = ""): number | undefined {
  return read(line, group).contentHash[0];
}

describe("Lines", () => {
  it("finds the lines of each passage and leaves a row between passages", () => {
    const text = "first line\nsecond line\nthird line";
    const lines = readLines(
      { text, from: 6, to: 22, group: "" },
      { text: "", from: 0, to: 0, group: "" },
      { text, from: 11, to: text.length, group: "" },
    );
    const shown = rowsOf(lines).map((row) =>
      lines.textOf(lines.passage[row] ?? 0).slice(lines.start[row], lines.end[row]),
    );
    expect(shown).toEqual(["line", "second line", "", "", "", "second line", "third line", ""]);
    expect(lines.firstRow).toEqual([0, 3, 5, 8]);
  });

  it("finds the lines inside JSON on a single line, and none in another single line", () => {
    const linesOf = (text: string) => {
      const lines = read(text);
      return rowsOf(lines).map((row) => text.slice(lines.start[row], lines.end[row]));
    };
    const text = JSON.stringify({ output: "first line\n\\nothing\n\tlast" });
    expect(linesOf(text)).toEqual(['{"output":"first line', "\\\\nothing", '\\tlast"}', ""]);
    expect(linesOf("C:\\new\\names")).toEqual(["C:\\new\\names", ""]);
  });

  it("truncates to the first passages, and adds others", () => {
    const texts = ["one line of text", "second line\nand a third"];
    const passage = (text: string) => ({ from: 0, to: text.length, group: "" });
    const lines = new Lines((index) => texts[index] ?? "");
    for (const text of texts) lines.add(passage(text));
    lines.truncate(1);
    texts[1] = "other words";
    lines.add(passage("other words"));
    const anew = readLines(...texts.map((text) => ({ text, ...passage(text) })));
    const columns = ({ firstRow, passages, rows, ...all }: Lines) => [
      firstRow,
      passages,
      [all.passage, all.start, all.end, all.contentHash, all.lineHash].map((column) => [...column.slice(0, rows)]),
    ];
    expect(columns(lines)).toEqual(columns(anew));
  });

  it("hashes lines alike that differ only in number, indentation and carriage return", () => {
    const hashes = saying("const a = 1;");
    expect(hashes).not.toBe(0);
    for (const line of [
      "   const a = 1;",
      "\tconst a = 1;\r",
      "    12→const a = 1;",
      " 3 |   const a = 1;",
      "7:const a = 1;",
    ]) {
      expect(saying(line)).toBe(hashes);
      expect(read(line).lineHash[0]).not.toBe(read("const a = 1;").lineHash[0]);
    }
    expect(saying("const a = 2;")).not.toBe(hashes);
  });

  it("keeps groups apart", () => {
    expect(saying("const a = 1;", "read")).not.toBe(saying("const a = 1;", "error"));
  });

  it("does not search for lines with little content", () => {
    expect(saying("  }")).toBe(0);
    expect(saying("")).toBe(0);
  });

  it("gives equal lines equal hashes, and restores the passage", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("alpha beta", "gamma", "", "  x\r", "1: delta")), (parts) => {
        const text = parts.join("\n");
        const lines = read(text);
        const rows = rowsOf(lines).slice(0, -1);
        expect(rows.map((row) => text.slice(lines.start[row], lines.end[row])).join("\n")).toBe(text);
        for (const [row, part] of parts.entries()) expect(lines.lineHash[row]).toBe(read(part).lineHash[0]);
      }),
    );
  });
});

describe("contentStart", () => {
  it("returns where the content starts, after the number that readLineNumber reads", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(" ", "1", "9", "|", ":", "→", "x") }), (line) => {
        const number = readLineNumber(line);
        const start = contentStart(line, 0, line.length);
        if (number === undefined) expect(line.slice(0, start).trim()).toBe("");
        else expect(start).toBe(number.width + number.separator.length + number.blanks.length);
      }),
    );
  });
});

describe("plainLines", () => {
  it("removes the escape sequences of lines inside JSON, and changes nothing else", () => {
    const text = '{"output":"one \\"two\\"\\nthree"}';
    expect(plainLines(text, { from: 11, to: text.length - 2 })).toBe('one "two"\nthree');
    expect(plainLines(text, { from: 0, to: 8 })).toBe('{"output');
    expect(plainLines("a\\nb", { from: 0, to: 4 })).toBe("a\\nb");
  });
});
