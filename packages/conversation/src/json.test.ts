import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, isJsonArray, isJsonObject, isJsonValue, type JsonValue, MAX_JSON_DEPTH } from "./json.ts";
import { anyJson } from "./testing/index.ts";

describe("canonicalJson", () => {
  it("sorts the keys of every object and adds no white space", () => {
    expect(canonicalJson({ b: [1, { d: null, c: "x" }], a: true })).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}');
  });

  it("spells a value the way that JSON.parse reads it back", () => {
    fc.assert(
      fc.property(anyJson(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(value);
      }),
    );
  });

  it("is blind to the order of keys", () => {
    fc.assert(fc.property(anyJson(), (value) => canonicalJson(reverseKeys(value)) === canonicalJson(value)));
  });

  it("keeps the order of array entries", () => {
    expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
  });
});

describe("isJsonObject and isJsonArray", () => {
  it.each([
    [{}, true, false],
    [[], false, true],
    [null, false, false],
    ["{}", false, false],
  ])("tells what %j is", (value, isObject, isArray) => {
    expect([isJsonObject(value), isJsonArray(value)]).toEqual([isObject, isArray]);
  });
});

describe("isJsonValue", () => {
  it("accepts everything that JSON holds", () => {
    fc.assert(fc.property(anyJson(), (value) => isJsonValue(value)));
  });

  it.each([
    ["undefined", undefined],
    ["a function", () => 1],
    ["not a number", Number.NaN],
    ["a date", new Date(0)],
    ["a hole deep inside", { a: [{ b: undefined }] }],
    ["a big integer", 1n],
  ])("refuses %s", (_, value) => {
    expect(isJsonValue(value)).toBe(false);
  });

  it("refuses what is nested too deep for recursive readers, without running out of stack", () => {
    const nested = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));
    expect(isJsonValue(nested(MAX_JSON_DEPTH))).toBe(true);
    expect(isJsonValue(nested(MAX_JSON_DEPTH + 1))).toBe(false);
    expect(isJsonValue(nested(100_000))).toBe(false);
  });
});

function reverseKeys(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(reverseKeys);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, reverseKeys(inner)]),
  );
}
