import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DiffPart, diffParts, textPieces, withReferences } from "./text-parts.ts";

const textOf = (parts: readonly DiffPart[], other: DiffPart["kind"]) =>
  parts
    .filter(({ kind }) => kind !== other)
    .map(({ text }) => text)
    .join("");

describe("diffParts", () => {
  it("compares by lines", () => {
    expect(diffParts("one\na long story\n", "one\na short story\n", "lines")).toEqual([
      { kind: "same", text: "one\n" },
      { kind: "removed", text: "a long story\n" },
      { kind: "added", text: "a short story\n" },
    ]);
  });

  it("compares by words by default", () => {
    expect(diffParts("a long story", "a short story")).toEqual([
      { kind: "same", text: "a " },
      { kind: "removed", text: "long" },
      { kind: "added", text: "short" },
      { kind: "same", text: " story" },
    ]);
  });

  it("contains both texts completely", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const parts = diffParts(before, after);
        expect(textOf(parts, "added")).toBe(before);
        expect(textOf(parts, "removed")).toBe(after);
      }),
    );
  });

  it.each([5_000, 300_000])("handles texts of %d characters", (chars) => {
    const before = "one line\n".repeat(chars / 9);
    const after = `${before}another\n`;
    const parts = diffParts(before, after);
    expect(textOf(parts, "added")).toBe(before);
    expect(textOf(parts, "removed")).toBe(after);
  });
});

describe("withReferences", () => {
  it("attaches removed text to the reference that replaces it", () => {
    const parts = diffParts("one\ntwo\nthree\nfour\n", "one\n[as above]\nfour\nfive\n", "lines");
    expect(withReferences(parts)).toEqual([
      { kind: "same", text: "one\n" },
      { kind: "reference", mark: "[as above]\n", text: "two\nthree\n" },
      { kind: "same", text: "four\n" },
      { kind: "added", text: "five\n" },
    ]);
  });

  it("contains both texts completely", () => {
    const lines = fc.array(fc.constantFrom("a\n", "b\n", "c\n")).map((all) => all.join(""));
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const parts = withReferences(diffParts(before, after, "lines"));
        const sent = parts.map((part) =>
          part.kind === "reference" ? part.mark : part.kind === "removed" ? "" : part.text,
        );
        const received = parts.map((part) => (part.kind === "added" ? "" : part.text));
        expect([received.join(""), sent.join("")]).toEqual([before, after]);
      }),
    );
  });
});

it("does not split a short text", () => {
  expect(textPieces("a\nb")).toEqual(["a\nb"]);
  expect(textPieces("")).toEqual([]);
});

it("splits between lines", () => {
  const line = `${"x".repeat(1_499)}\n`;
  expect(textPieces(line.repeat(5))).toEqual([line.repeat(2), line.repeat(2), line]);
});

it("splits a line that is too long, but no surrogate pair", () => {
  const pieces = textPieces(`a${"😀".repeat(3_000)}`);
  expect(pieces.map(({ length }) => length)).toEqual([3_999, 2_002]);
  expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
});

it("returns pieces that together are the text", () => {
  const texts = fc.array(fc.tuple(fc.constantFrom("a", "\n", "é😀", " "), fc.nat(5_000)));
  fc.assert(
    fc.property(texts, (runs) => {
      const text = runs.map(([unit, count]) => unit.repeat(count)).join("");
      const pieces = textPieces(text);
      expect(pieces.join("")).toBe(text);
      expect(pieces.every(({ length }) => length > 0 && length <= 4_000)).toBe(true);
    }),
  );
});
