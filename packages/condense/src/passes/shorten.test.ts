import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Content, Level } from "../content/content.ts";
import type { Splice } from "../edits/edit.ts";
import * as shorten from "./shorten.ts";

const LINES = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`).join("\n");

const content = (text: string, from = 0, level: Level = "result"): Content => ({
  at: { message: 0, block: 0, path: [] },
  from,
  to: from + text.length,
  text,
  level,
  role: "user",
});
const truncateHead = (text: string, limits: Parameters<typeof shorten.truncateHead>[1], from = 0) =>
  shorten.truncateHead(content(text, from), limits);
const shortenMiddle = (text: string, keepChars: number) => shorten.shortenMiddle(content(text), keepChars);

function applied(text: string, splice: Splice | undefined): string {
  return splice === undefined ? text : text.slice(0, splice.from) + splice.text + text.slice(splice.to);
}

describe("truncateHead", () => {
  it("keeps the first lines and counts the others", () => {
    expect(applied(LINES, truncateHead(LINES, { maxLines: 3 }))).toBe("line 1\nline 2\nline 3\n[97 lines left out]");
  });

  it("keeps the first characters of one long line", () => {
    expect(applied("abc ".repeat(50), truncateHead("abc ".repeat(50), { maxChars: 7 }))).toBe(
      "abc abc [191 characters left out]",
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
    const once = applied(LINES, truncateHead(LINES, { maxLines: 3 }));
    expect(truncateHead(once, { maxLines: 3 })).toBeUndefined();
  });

  it("returns offsets in the surrounding text", () => {
    expect(truncateHead(LINES, { maxLines: 1 }, 100)).toMatchObject({ from: 106, to: 100 + LINES.length });
  });
});

describe("shortenMiddle", () => {
  it("cuts no tag of a client in two", () => {
    const text = `${"word ".repeat(20)}<bash-stdout>${"a line\n".repeat(80)}</bash-stdout>${" word".repeat(20)}`;
    for (let keep = 150; keep < 300; keep += 5) {
      const kept = applied(text, shortenMiddle(text, keep)).replaceAll(/<\/?bash-stdout>/g, "");
      expect(kept).not.toMatch(/[<>]|stdout/);
    }
  });

  it("keeps head and tail at line ends, with a mark for the rest", () => {
    expect(applied(LINES, shortenMiddle(LINES, 60))).toBe(
      "line 1\nline 2\nline 3\nline 4\n[93 lines left out]\nline 98\nline 99\nline 100",
    );
  });

  it("keeps at most the given number of characters, plus the mark", () => {
    const text = "x".repeat(10_000);
    expect(applied(text, shortenMiddle(text, 1_000))).toBe(
      `${"x".repeat(500)}\n[9,000 characters left out]\n${"x".repeat(500)}`,
    );
  });
});

it("replaces an argument as a whole, if it is too long", () => {
  const whole = { from: 5, to: 5 + LINES.length, text: "[100 lines left out]" };
  expect(shorten.shortenMiddle(content(LINES, 5, "parameters"), 60)).toEqual(whole);
  expect(shorten.truncateHead(content(LINES, 5, "parameters"), { maxLines: 3 })).toEqual(whole);
  expect(shorten.truncateHead(content(LINES, 5, "parameters"), { maxLines: 100 })).toBeUndefined();
  expect(shorten.shortenMiddle(content("npm test", 5, "parameters"), 3)).toBeUndefined();
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
        const cut = applied(given, splice);
        expect(cut.isWellFormed()).toBe(true);
        if (splice !== undefined) expect(cut.length).toBeLessThan(given.length);
      }
    }),
  );
});
