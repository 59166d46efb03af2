import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Splice } from "../edits/edit.ts";
import { missingMarker, shortenMiddle, truncateHead } from "./shorten.ts";

const LINES = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`).join("\n");

function spelled(text: string, splice: Splice | undefined): string {
  return splice === undefined ? text : text.slice(0, splice.from) + splice.text + text.slice(splice.to);
}

describe("truncateHead", () => {
  it("keeps the first lines and counts the others", () => {
    expect(spelled(LINES, truncateHead(LINES, { maxLines: 3 }))).toBe(
      "line 1\nline 2\nline 3\n⟨ ... truncated ⟩ 97 more lines",
    );
  });

  it("keeps the first characters of one long line", () => {
    expect(spelled("abc ".repeat(50), truncateHead("abc ".repeat(50), { maxChars: 7 }))).toBe(
      "abc abc ⟨ ... truncated ⟩ 193 more characters",
    );
  });

  it("uses the smaller limit", () => {
    expect(truncateHead(LINES, { maxLines: 3, maxChars: 9 })).toMatchObject({ from: 9 });
    expect(truncateHead(LINES, { maxLines: 1, maxChars: 9 })).toMatchObject({ from: 6 });
  });

  it("counts a line of a minified file as at most 200 characters", () => {
    expect(truncateHead("x".repeat(5_000), { maxLines: 10 })).toMatchObject({ from: 2_000 });
  });

  it("returns undefined for a text that would not become shorter, or was cut before", () => {
    expect(truncateHead("short", { maxChars: 3 })).toBeUndefined();
    expect(truncateHead("a\nb", { maxLines: 5 })).toBeUndefined();
    const once = spelled(LINES, truncateHead(LINES, { maxLines: 3 }));
    expect(truncateHead(once, { maxLines: 3 })).toBeUndefined();
  });

  it("returns offsets in the surrounding text", () => {
    expect(truncateHead(LINES, { maxLines: 1 }, 100)).toMatchObject({ from: 106, to: 100 + LINES.length });
  });
});

describe("shortenMiddle", () => {
  it("keeps head and tail at line ends, with a marker for the rest", () => {
    expect(spelled(LINES, shortenMiddle(LINES, 60))).toBe(
      "line 1\nline 2\nline 3\nline 4\n⟨ ... truncated: 93 lines, 740 characters ⟩\nline 98\nline 99\nline 100",
    );
  });

  it("keeps at most the given number of characters, plus the marker", () => {
    const text = "x".repeat(10_000);
    expect(spelled(text, shortenMiddle(text, 1_000))).toBe(
      `${"x".repeat(500)}\n⟨ ... truncated: 9000 characters ⟩\n${"x".repeat(500)}`,
    );
  });
});

it("missingMarker counts lines if there are any", () => {
  expect(missingMarker("a\nb\nc")).toBe("\n⟨ ... truncated: 2 lines, 5 characters ⟩\n");
  expect(missingMarker("abc")).toBe("\n⟨ ... truncated: 3 characters ⟩\n");
});

it("never splits a character, and always makes the text shorter", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "😀", "漢", "\n"), maxLength: 300 });
  fc.assert(
    fc.property(text, fc.nat(200), (given, keep) => {
      const splices = [
        shortenMiddle(given, keep),
        truncateHead(given, { maxChars: keep }),
        truncateHead(given, { maxLines: keep + 1 }),
      ];
      for (const splice of splices) {
        const cut = spelled(given, splice);
        expect(cut.isWellFormed()).toBe(true);
        if (splice !== undefined) expect(cut.length).toBeLessThan(given.length);
      }
    }),
  );
});
