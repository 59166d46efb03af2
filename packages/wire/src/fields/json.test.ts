import { anyJson } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  countOf,
  defined,
  extraOf,
  fieldOf,
  malformed,
  optionalString,
  readList,
  readObject,
  readString,
  sameValue,
} from "./json.ts";

describe("readers", () => {
  it("throw with the path, the value found and the expected type", () => {
    expect(() => readObject([], "body")).toThrow("body: expected an object, got an array");
    expect(() => readList("x", "messages")).toThrow('messages: expected an array, got "x"');
    expect(() => readString(undefined, "tools[0].name")).toThrow("tools[0].name: expected a string, got nothing");
    expect(() => readString(null, "a")).toThrow("got null");
    expect(malformed("a", "b", 7)).toMatchObject({
      code: "request.malformed",
      message: "a: expected b, got a value of type number",
    });
  });

  it("truncate quoted values", () => {
    expect(malformed("a", "b", "x".repeat(500)).message.length).toBeLessThan(80);
  });

  it("do not throw for optional values", () => {
    expect([optionalString("a"), optionalString(1), optionalString(undefined)]).toEqual(["a", undefined, undefined]);
    expect([countOf(3), countOf(null), countOf("3")]).toEqual([3, 0, 0]);
    expect([-3, Number.POSITIVE_INFINITY, 1e300].map(countOf)).toEqual([0, 0, 0]);
    expect([fieldOf({ a: 1 }, "a"), fieldOf([1], "0"), fieldOf(undefined, "a")]).toEqual([1, undefined, undefined]);
  });
});

describe("extraOf", () => {
  it("returns the unknown fields, or undefined", () => {
    expect(extraOf({ a: 1, b: 2 }, new Set(["a"]))).toEqual({ b: 2 });
    expect(extraOf({ a: 1 }, new Set(["a"]))).toBeUndefined();
  });
});

it("keeps falsy values and drops undefined ones", () => {
  const fields = defined({ zero: 0, no: false, empty: "", nothing: null, absent: undefined });
  expect(fields).toStrictEqual({ zero: 0, no: false, empty: "", nothing: null });
  expect("absent" in fields).toBe(false);
});

describe("sameValue", () => {
  it("finds a copy equal, in any order of keys", () => {
    fc.assert(
      fc.property(anyJson(), (value) => {
        expect(sameValue(value, JSON.parse(JSON.stringify(value)))).toBe(true);
      }),
    );
    expect(sameValue({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true);
  });

  it.each([
    [1, "1"],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 2]],
    [{ a: 1 }, { a: 1, b: null }],
    [{ a: [] }, { a: {} }],
    [null, undefined],
    [[], {}],
  ])("finds %j and %j different", (left, right) => {
    expect(sameValue(left, right)).toBe(false);
    expect(sameValue(right, left)).toBe(false);
  });

  it("treats an undefined field as absent", () => {
    expect(sameValue({ a: undefined }, {})).toBe(true);
  });
});
