import { formatCount, formatUsd } from "@longhaul/models/format";
import { describe, expect, it } from "vitest";
import { makeTerminal } from "../testing/terminal.ts";
import {
  formatDeviation,
  formatPercent,
  openProgress,
  pluralize,
  printJson,
  printWarnings,
  styleOf,
  wrapping,
  wrapText,
} from "./output.ts";

const plain = styleOf({ hasColours: false });

describe("styleOf", () => {
  it("returns text unchanged without colours", () => {
    expect([plain.bold("a"), plain.good("b")]).toEqual(["a", "b"]);
    expect(styleOf({ hasColours: true }).bold("a")).toBe("\u001b[1ma\u001b[22m");
  });
});

it("formats counts, shares and money independent of the locale", () => {
  expect([formatCount(1234567.6), formatPercent(0.405), formatPercent(-0.0123, 1)]).toEqual([
    "1,234,568",
    "41%",
    "-1.2%",
  ]);
  expect([pluralize(1, "turn"), pluralize(0, "turn"), pluralize(8500, "turn")]).toEqual([
    "1 turn",
    "0 turns",
    "8,500 turns",
  ]);
  expect([formatUsd(12.345), formatUsd(0.00361), formatUsd(-0.5)]).toEqual(["$12.35", "$0.0036", "-$0.5000"]);
});

it("formats a deviation with its sign, and zero without one", () => {
  expect([0.012, -0.0371, 0, 0.0001, -0.0001].map(formatDeviation)).toEqual(["+1.2%", "-3.7%", "0.0%", "0.0%", "0.0%"]);
});

it("prints indented JSON", () => {
  const terminal = makeTerminal("/");
  printJson({ a: [1] }, terminal);
  expect(terminal.output()).toBe('{\n  "a": [\n    1\n  ]\n}\n');
});

it("prints one line per warning to standard error", () => {
  const terminal = makeTerminal("/");
  printWarnings(["one", "two"], terminal);
  expect([terminal.output(), terminal.errors()]).toEqual(["", "warning: one\nwarning: two\n"]);
});

function shown(isInteractive: boolean): string[] {
  const written: string[] = [];
  const progress = openProgress({ isInteractive, writeError: (text) => void written.push(text) });
  progress.show(0.5, "a.jsonl");
  progress.show(2, `${"x".repeat(100)}.jsonl`);
  progress.end();
  return written;
}

describe("openProgress", () => {
  it("overwrites one line on a terminal", () => {
    const [half, whole, end] = shown(true);
    expect(half).toBe(`\r\u001b[K\u001b[?7l${"█".repeat(12)}${"░".repeat(12)}  50% a.jsonl\u001b[?7h`);
    expect(whole).toContain("█".repeat(24));
    expect(whole).toContain(`…${"x".repeat(41)}.jsonl`);
    expect(end).toBe("\r\u001b[K");
  });

  it("writes nothing if standard error is not a terminal", () => {
    expect(shown(false)).toEqual([]);
  });
});

describe("wrapText", () => {
  it("breaks long lines between words and keeps their indentation", () => {
    expect(wrapText("one two three\n  four five six\nshort\n", 9)).toBe(
      "one two\nthree\n  four\n  five\n  six\nshort\n",
    );
  });

  it("aligns the rest of a finding or a remedy with its text", () => {
    expect(wrapText("✓ one two three", 9)).toBe("✓ one two\n  three");
    expect(wrapText("    → one two", 10)).toBe("    → one\n      two");
  });

  it("keeps a word that is longer than a line whole, and columns that fit apart", () => {
    expect(wrapText("see http://127.0.0.1:4141/#token=x now", 12)).toBe("see\nhttp://127.0.0.1:4141/#token=x\nnow");
    expect(wrapText("a   b", 5)).toBe("a   b");
  });

  it("keeps the spaces between the columns of a line that is too wide", () => {
    expect(wrapText("Name    ID      Key\nlaptop  key_12  lh_", 16)).toBe("Name    ID\nKey\nlaptop  key_12\nlh_");
    expect(wrapText('  a: "x  y" (file)', 12)).toBe('  a: "x  y"\n  (file)');
  });

  it("wraps a line that ends with very many spaces in time that grows with its length", () => {
    expect(wrapText(`a${" ".repeat(100_000)}`, 5)).toBe("a");
  }, 2_000);

  it("does not count colours", () => {
    const { bold } = styleOf({ hasColours: true });
    expect(wrapText(`${bold("one")} two`, 7)).toBe(`${bold("one")} two`);
    expect(wrapText(`${bold("one two")} three`, 7)).toBe(`${bold("one two")}\nthree`);
  });

  it.each(["a file or a pipe", "a progress bar"])("leaves the text of %s alone", (kind) => {
    const text = kind === "a progress bar" ? "\rone two three" : "one two three";
    expect(wrapText(text, kind === "a progress bar" ? 5 : Number.POSITIVE_INFINITY)).toBe(text);
  });
});

it("wraps output and errors each to the width of its own terminal", () => {
  const piped = Object.assign(makeTerminal("/"), { columns: 7 });
  wrapping(piped).write("one two three");
  wrapping(piped).writeError("one two three");
  expect([piped.output(), piped.errors()]).toEqual(["one two\nthree", "one two three"]);
  const shown = Object.assign(makeTerminal("/"), { errorColumns: 7, isInteractive: true });
  wrapping(shown).write("one two three");
  wrapping(shown).writeError("one two three");
  expect([shown.output(), shown.errors()]).toEqual(["one two three", "one two\nthree"]);
});
