import { expect, it } from "vitest";
import { JSON_LIMITS } from "./json-limits.ts";
import { isTiny, parseJson } from "./parse-json.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
const long = " ".repeat(2 * JSON_LIMITS.elements);

it.each([
  ["tiny", ""],
  ["longer", long],
])("takes a %s text up to the limit of depth, and no further", (_, more) => {
  expect(parseJson(bytesOf(nested(JSON_LIMITS.depth) + more))).toEqual(JSON.parse(nested(JSON_LIMITS.depth)));
  expect(() => parseJson(bytesOf(nested(JSON_LIMITS.depth + 1) + more))).toThrow(/deeper than this gateway reads: 500/);
});

it("refuses a longer text with too many elements, which a tiny one cannot have", () => {
  const crowded = bytesOf(`[${"1,".repeat(JSON_LIMITS.elements)}1]`);
  expect(isTiny(crowded)).toBe(false);
  expect(() => parseJson(crowded)).toThrow(/more elements/);
  expect(isTiny(bytesOf(`[${"1,".repeat(JSON_LIMITS.elements - 2)}1]`))).toBe(true);
});

it.each(["{", long])("throws a SyntaxError for a text that is not JSON", (text) => {
  expect(() => parseJson(bytesOf(text))).toThrow(SyntaxError);
});
