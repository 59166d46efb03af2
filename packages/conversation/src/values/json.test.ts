import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyJson } from "../testing/index.ts";
import {
  isJsonArray,
  isJsonObject,
  isJsonValue,
  type JsonValue,
  MAX_JSON_DEPTH,
  ownValue,
  stableStringify,
  table,
} from "./json.ts";

describe("stableStringify", () => {
  it("sorts the keys of every object and prefixes strings with their length", () => {
    expect(stableStringify({ b: [1, { d: null, c: "x" }], a: true })).toBe('{1"atrue;1"b[1;{1"c1"x1"dnull;}]}');
  });

  it("is reversible, so different values never share a serialization", () => {
    const value = fc.oneof(anyJson(), fc.constantFrom('1"a', "[]", "1;", '}{1"', "", "\ud83d"));
    fc.assert(
      fc.property(value, (given) => {
        expect(parseStable(stableStringify(given))).toEqual(given);
      }),
    );
  });

  it("ignores the order of keys", () => {
    fc.assert(fc.property(anyJson(), (value) => stableStringify(reverseKeys(value)) === stableStringify(value)));
  });

  it("keeps the order of array entries", () => {
    expect(stableStringify([1, 2])).not.toBe(stableStringify([2, 1]));
  });

  it("serializes a value of the maximum depth", () => {
    const deep = JSON.parse("[".repeat(MAX_JSON_DEPTH) + "]".repeat(MAX_JSON_DEPTH));
    expect(stableStringify(deep)).toBe("[".repeat(MAX_JSON_DEPTH) + "]".repeat(MAX_JSON_DEPTH));
  });
});

describe("isJsonObject and isJsonArray", () => {
  it.each([
    [{}, true, false],
    [[], false, true],
    [null, false, false],
    ["{}", false, false],
  ])("classifies %j", (value, isObject, isArray) => {
    expect([isJsonObject(value), isJsonArray(value)]).toEqual([isObject, isArray]);
  });
});

describe("isJsonValue", () => {
  it("accepts every JSON value", () => {
    fc.assert(fc.property(anyJson(), (value) => isJsonValue(value)));
  });

  it.each([
    ["undefined", undefined],
    ["a function", () => 1],
    ["not a number", Number.NaN],
    ["a date", new Date(0)],
    ["a nested undefined", { a: [{ b: undefined }] }],
    ["a big integer", 1n],
  ])("rejects %s", (_, value) => {
    expect(isJsonValue(value)).toBe(false);
  });

  it("rejects values nested too deep, without a stack overflow", () => {
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

/** Parses a serialization back, which proves that it is unambiguous. */
function parseStable(text: string): JsonValue {
  const [value, rest] = readValue(text);
  expect(rest).toBe("");
  return value;
}

function readValue(text: string): [JsonValue, string] {
  if (text.startsWith("[")) return readUntil("]", text.slice(1));
  if (text.startsWith("{")) {
    const [flat, rest] = readUntil("}", text.slice(1));
    const entries = flat.flatMap((key, index) => (index % 2 === 0 ? [[key, flat[index + 1]]] : []));
    return [Object.fromEntries(entries), rest];
  }
  const length = /^(\d+)"/.exec(text);
  if (length?.[1] === undefined) {
    const end = text.indexOf(";");
    return [JSON.parse(text.slice(0, end)), text.slice(end + 1)];
  }
  const start = length[0].length;
  const end = start + Number(length[1]);
  return [text.slice(start, end), text.slice(end)];
}

function readUntil(closing: string, text: string): [JsonValue[], string] {
  const values: JsonValue[] = [];
  let rest = text;
  while (!rest.startsWith(closing)) {
    const [value, after] = readValue(rest);
    values.push(value);
    rest = after;
  }
  return [values, rest.slice(closing.length)];
}

const PROTOTYPE_NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty"];

it("finds the listed keys of a table and no prototype members", () => {
  const colours: Readonly<Record<string, string>> = table({ sky: "blue" });
  expect(colours.sky).toBe("blue");
  expect(PROTOTYPE_NAMES.map((name) => colours[name])).toEqual([undefined, undefined, undefined, undefined]);
  expect(Object.isFrozen(colours)).toBe(true);
});

it("finds own properties and no prototype members", () => {
  const values = JSON.parse('{"sky":"blue","__proto__":"own"}');
  expect(ownValue(values, "sky")).toBe("blue");
  expect(ownValue(values, "__proto__")).toBe("own");
  expect(PROTOTYPE_NAMES.map((name) => ownValue({}, name))).toEqual([undefined, undefined, undefined, undefined]);
});
