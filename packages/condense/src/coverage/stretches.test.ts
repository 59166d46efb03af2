import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LONG_LINE, stretchesOf } from "./stretches.ts";

function parts(text: string, longest: number = LONG_LINE.prose): string[] {
  return stretchesOf(text, longest).map(({ from, to }) => text.slice(from, to));
}

describe("stretchesOf", () => {
  it("gives lines with their ends", () => {
    expect(parts("one\ntwo\n\nthree")).toEqual(["one\n", "two\n", "\n", "three"]);
  });

  it("takes a long line apart where sentences end", () => {
    const sentence = "This sentence is made of about sixty characters, all in all. ";
    expect(parts(sentence.repeat(6))).toEqual(Array.from({ length: 6 }, () => sentence));
  });

  it("keeps a line of code whole that is no longer than code may be", () => {
    const line = `const list = [${"1, ".repeat(100)}];`;
    expect(parts(line, LONG_LINE.code)).toEqual([line]);
  });

  it("joined, gives any text, with parts that are not too long and no character cut in two", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 2_000 }), fc.constantFrom(200, 400), (text, longest) => {
        const found = parts(text, longest);
        expect(found.join("")).toBe(text);
        expect(found.every((part) => part.length <= longest)).toBe(true);
        expect(found.every((part) => part.isWellFormed())).toBe(true);
      }),
    );
  });

  it("is quick on one endless line", () => {
    expect(parts("x".repeat(200_000)).length).toBeGreaterThan(1_000);
  });
});
