import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isJson, type Schema } from "./schema.ts";
import { jsonIn, spellJson, wordsIn } from "./typed.ts";

const RECORD: Schema = { type: "object" };
const TEXT_OR_LIST: Schema = { anyOf: [{ type: "string" }, { type: "array" }] };

describe("wordsIn", () => {
  it.each([
    ["", undefined],
    [" , ", undefined],
    ["a", ["a"]],
    [" a b ,, c", ["a b", "c"]],
  ])("of %j are %j", (text, words) => {
    expect(wordsIn(text)).toEqual(words);
  });
});

describe("jsonIn", () => {
  it.each([
    [RECORD, "", undefined],
    [RECORD, '{"a": 1}', { a: 1 }],
    [RECORD, '{"a": ', undefined],
    [RECORD, "null", null],
    [TEXT_OR_LIST, "simulated", "simulated"],
    [TEXT_OR_LIST, '["a", "b"]', ["a", "b"]],
    [TEXT_OR_LIST, " ", undefined],
  ])("of %j is in %j %j", (schema, text, value) => {
    expect(jsonIn(schema, text)).toEqual(value);
  });
});

describe("spellJson", () => {
  it("leaves quotes out where a text stands for itself", () => {
    expect(spellJson(TEXT_OR_LIST, "simulated")).toBe("simulated");
    expect(spellJson(TEXT_OR_LIST, "12")).toBe('"12"');
    expect(spellJson(RECORD, "simulated")).toBe('"simulated"');
    expect(spellJson(RECORD, undefined)).toBe("");
  });

  it("is read back as what it was", () => {
    fc.assert(
      fc.property(fc.constantFrom(RECORD, TEXT_OR_LIST), fc.jsonValue(), (schema, any) => {
        const value = JSON.parse(JSON.stringify(any));
        if (isJson(value)) expect(jsonIn(schema, spellJson(schema, value))).toEqual(value);
      }),
    );
  });
});
