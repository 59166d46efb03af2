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
  spellJson,
  table,
} from "./json.ts";

describe("spellJson", () => {
  it("sorts the keys of every object and puts texts behind their length", () => {
    expect(spellJson({ b: [1, { d: null, c: "x" }], a: true })).toBe('{1"atrue;1"b[1;{1"c1"x1"dnull;}]}');
  });

  it("loses nothing, so that two values never share a spelling", () => {
    const value = fc.oneof(anyJson(), fc.constantFrom('1"a', "[]", "1;", '}{1"', "", "\ud83d"));
    fc.assert(
      fc.property(value, (given) => {
        expect(readSpelled(spellJson(given))).toEqual(given);
      }),
    );
  });

  it("is blind to the order of keys", () => {
    fc.assert(fc.property(anyJson(), (value) => spellJson(reverseKeys(value)) === spellJson(value)));
  });

  it("keeps the order of array entries", () => {
    expect(spellJson([1, 2])).not.toBe(spellJson([2, 1]));
  });

  it("spells a value as deep as any that is accepted", () => {
    const deep = JSON.parse("[".repeat(MAX_JSON_DEPTH) + "]".repeat(MAX_JSON_DEPTH));
    expect(spellJson(deep)).toBe("[".repeat(MAX_JSON_DEPTH) + "]".repeat(MAX_JSON_DEPTH));
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

/** Reads a spelling back: the proof that it tells every value from every other. */
function readSpelled(spelled: string): JsonValue {
  const [value, rest] = readValue(spelled);
  expect(rest).toBe("");
  return value;
}

function readValue(spelled: string): [JsonValue, string] {
  if (spelled.startsWith("[")) return readUntil("]", spelled.slice(1));
  if (spelled.startsWith("{")) {
    const [flat, rest] = readUntil("}", spelled.slice(1));
    const entries = flat.flatMap((key, index) => (index % 2 === 0 ? [[key, flat[index + 1]]] : []));
    return [Object.fromEntries(entries), rest];
  }
  const length = /^(\d+)"/.exec(spelled);
  if (length?.[1] === undefined) {
    const end = spelled.indexOf(";");
    return [JSON.parse(spelled.slice(0, end)), spelled.slice(end + 1)];
  }
  const start = length[0].length;
  const end = start + Number(length[1]);
  return [spelled.slice(start, end), spelled.slice(end)];
}

function readUntil(closing: string, spelled: string): [JsonValue[], string] {
  const values: JsonValue[] = [];
  let rest = spelled;
  while (!rest.startsWith(closing)) {
    const [value, after] = readValue(rest);
    values.push(value);
    rest = after;
  }
  return [values, rest.slice(closing.length)];
}

const PROTOTYPE_NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty"];

it("finds what a table lists, and no name of a prototype", () => {
  const colours: Readonly<Record<string, string>> = table({ sky: "blue" });
  expect(colours.sky).toBe("blue");
  expect(PROTOTYPE_NAMES.map((name) => colours[name])).toEqual([undefined, undefined, undefined, undefined]);
  expect(Object.isFrozen(colours)).toBe(true);
});

it("finds what an object has itself, and no name of its prototype", () => {
  const values = JSON.parse('{"sky":"blue","__proto__":"own"}');
  expect(ownValue(values, "sky")).toBe("blue");
  expect(ownValue(values, "__proto__")).toBe("own");
  expect(PROTOTYPE_NAMES.map((name) => ownValue({}, name))).toEqual([undefined, undefined, undefined, undefined]);
});
