import { expect, it } from "vitest";
import { holdersIn, requireRoom, valueAt, withoutValue, withValue } from "./settings-data.ts";

const DATA = { a: { b: 1 }, list: [{ name: "x" }, { name: "y", z: 1 }] };

it("finds values in objects and in lists of named entries", () => {
  expect([valueAt(DATA, ["a", "b"]), valueAt(DATA, ["list", "name=y", "z"])]).toEqual([1, 1]);
  expect([valueAt(DATA, ["a", "b", "c"]), valueAt({}, ["toString"]), valueAt(DATA, ["a", "name=x"])]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it("puts values and creates missing objects", () => {
  expect(withValue({}, ["a", "b"], 1)).toEqual({ a: { b: 1 } });
  expect(withValue(DATA, ["list", "name=x"], 2)).toEqual({ ...DATA, list: [2, DATA.list[1]] });
  expect(withValue({}, ["list", "name=x"], 2)).toEqual({ list: [2] });
});

it("removes values, and empty objects unless they are kept", () => {
  expect(withoutValue(DATA, ["a", "b"], 0)).toEqual({ list: DATA.list });
  expect(withoutValue(DATA, ["a", "b"], 1)).toEqual({ ...DATA, a: {} });
  expect(withoutValue(DATA, ["list", "name=x"], 0)).toEqual({ ...DATA, list: [DATA.list[1]] });
  expect(withoutValue(DATA, ["c"], 0)).toBe(DATA);
});

it("counts the existing objects on a path", () => {
  expect([holdersIn(DATA, ["a", "b"]), holdersIn(DATA, ["a", "c"]), holdersIn(DATA, ["c", "d"])]).toEqual([2, 1, 0]);
});

it("names a value of the wrong type on the path", () => {
  expect(() => requireRoom(DATA, ["a", "b", "c"], "x")).toThrow("a.b is a number instead of an object");
  expect(() => requireRoom({ a: new Date(0) }, ["a", "b"], "x")).toThrow("a is a date");
  expect(() => requireRoom(DATA, ["a"], "x")).toThrow("a is an object instead of a plain value");
  expect(() => requireRoom(DATA, ["a", "name=x"], {})).toThrow("a is an object instead of a list");
  expect(() => requireRoom(DATA, ["list", "name=z"], {})).not.toThrow();
});
