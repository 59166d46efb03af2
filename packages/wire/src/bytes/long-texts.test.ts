import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findLongTexts } from "./long-texts.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Parts of JSON strings: written as `JSON.stringify` does, otherwise, and not valid at all. */
const UNITS = [
  "a",
  " ",
  "é",
  "漢",
  "🚀",
  "\\n",
  '\\"',
  "\\\\",
  "\\u001b",
  "\\u000b",
  "word ".repeat(15),
  "x".repeat(700),
];
const ODD_UNITS = ["\\/", "\\u0041", "\\u001B", "\\u000a", "\\ud83d", "\\x", "\n", "\u0001"];

function anyString(units: readonly string[]): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...units), { minLength: 20, maxLength: 60 }).map((all) => all.join(""));
}

function middlesIn(json: string): readonly string[] | undefined {
  const bytes = bytesOf(json);
  return findLongTexts(bytes, bytes.length)?.map(({ from, to }) => textOf(bytes.subarray(from, to)));
}

describe("findLongTexts", () => {
  it("finds parts of strings that can be parsed on their own and are written again in the same bytes", () => {
    fc.assert(
      fc.property(fc.nat(9), anyString(UNITS), (before, string) => {
        const json = `${" ".repeat(before)}{"text":"${string}"}`;
        for (const middle of middlesIn(json) ?? []) {
          const [first = "", last = ""] = string.split(middle);
          const parts = [first, middle, last].map((part) => JSON.parse(`"${part}"`));
          expect(JSON.stringify(parts[1])).toBe(`"${middle}"`);
          expect(parts.join("")).toBe(JSON.parse(`"${string}"`));
        }
      }),
    );
  });

  it.each(ODD_UNITS)("finds nothing in a string with %j", (odd) => {
    const text = "text ".repeat(300);
    expect(middlesIn(`{"text":"${text}${odd}${text}"}`)).toEqual([]);
    expect(middlesIn(`{"text":"${text}"}`)).toHaveLength(1);
  });

  it.each([
    ["other fields", `{"data":"${"text ".repeat(300)}"}`],
    ["arguments of calls", `[{"input":{"text":"${"text ".repeat(300)}"}},{"args":["${"text ".repeat(300)}"]}]`],
    ["text with markup", `{"text":" <system-reminder>${"text ".repeat(300)}"}`],
    ["text that begins with whitespace", `{"text":"${"\\n".repeat(300)}${"text ".repeat(300)}"}`],
    ["text that ends with whitespace", `{"text":"${"text ".repeat(300)}${"\\u000b".repeat(300)}"}`],
    ["short text", '{"text":"short"}'],
  ])("finds nothing in %s", (_, json) => {
    expect(middlesIn(json)).toEqual([]);
  });

  it.each([
    ["a string does not end", `{"text":"${"text ".repeat(300)}`],
    ["arguments do not end", `{"messages":[{"input":{"text":"${"text ".repeat(300)}"`],
  ])("returns undefined if %s", (_, json) => {
    expect(middlesIn(json)).toBeUndefined();
  });

  it("returns undefined if too much would remain", () => {
    const long = `{"text":"${"text ".repeat(300)}"}`;
    expect(findLongTexts(bytesOf(long), 200)).toHaveLength(1);
    expect(findLongTexts(bytesOf(`[${long},${'"a",'.repeat(100)}1]`), 200)).toBeUndefined();
  });
});
