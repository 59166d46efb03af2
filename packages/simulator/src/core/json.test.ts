import { expect, it } from "vitest";
import { isGiven, isObject, listIn, numberIn, objectIn, objectsIn, omit, parseJson, textIn, textsIn } from "./json.ts";

it("distinguishes objects from lists and null", () => {
  expect([{}, [], null, "x", 1, undefined].map(isObject)).toEqual([true, false, false, false, false, false]);
});

it("returns empty values for other types", () => {
  expect([objectIn({ a: 1 }), objectIn([]), listIn([1]), listIn("x")]).toEqual([{ a: 1 }, {}, [1], []]);
  expect(objectsIn([{ a: 1 }, 2, null])).toEqual([{ a: 1 }]);
  expect([textIn("x"), textIn(1), textsIn(["a", 1]), numberIn(0), numberIn("0")]).toEqual([
    "x",
    "",
    ["a"],
    0,
    undefined,
  ]);
});

it("counts null as absent, but false, zero and the empty text as present", () => {
  expect([undefined, null, 0, false, ""].map(isGiven)).toEqual([false, false, true, true, true]);
});

it("removes fields and keeps the order of the others", () => {
  expect(JSON.stringify(omit({ b: 1, cache_control: {}, a: 2 }, "cache_control"))).toBe('{"b":1,"a":2}');
});

it("parses JSON, and returns undefined for anything else", () => {
  expect([parseJson("[1]"), parseJson("{")]).toEqual([[1], undefined]);
});
