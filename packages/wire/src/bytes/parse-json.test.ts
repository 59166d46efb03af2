import { expect, it } from "vitest";
import { isShort, parseJson } from "./parse-json.ts";
import { JSON_LIMITS, overLimit } from "./scan-json.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
const list = (length: number) => `[${Array(length).fill("1").join(",")}]`;
const keys = (count: number) => `{${Array.from({ length: count }, (_, index) => `"${index}":1`).join(",")}}`;
const many = (count: number) => `[${Array(count).fill(list(20_000)).join(",")}]`;

it.each([
  ["depth", nested(JSON_LIMITS.depth), nested(JSON_LIMITS.depth + 1)],
  ["elements", list(JSON_LIMITS.elements), list(JSON_LIMITS.elements + 1)],
  ["keys", keys(JSON_LIMITS.keys), keys(JSON_LIMITS.keys + 1)],
  ["values", many(12), many(17)],
])("accepts text within the limit of %s and rejects text over it, at any length", (limit, within, over) => {
  for (const more of ["", " ".repeat(JSON_LIMITS.whitespace / 2)]) {
    expect(parseJson(bytesOf(within + more))).toEqual(JSON.parse(within));
    expect(() => parseJson(bytesOf(over + more)), limit).toThrow("the gateway's limit");
  }
});

it.each([" ", " ".repeat(900_000)])("throws a SyntaxError for text that is not JSON", (text) => {
  expect([isShort(bytesOf(text)), isShort(bytesOf("{}"))]).toEqual([text.length < 1_000, true]);
  expect(() => parseJson(bytesOf(text))).toThrow(SyntaxError);
});

it("names the exceeded limit", () => {
  const { code, message } = overLimit("whitespace");
  expect(code).toBe("request.body-too-large");
  expect(message).toBe(
    "the request body has more than 1,000,000 consecutive bytes of whitespace, which is the gateway's limit",
  );
});
