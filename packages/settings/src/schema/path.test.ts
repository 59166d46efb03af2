import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatPath, isWithin, parsePath, valueAt, withoutValue, withValue } from "./path.ts";

describe("parsePath", () => {
  it.each([
    ["context", ["context"]],
    ["profiles.*.context.threshold", ["profiles", "*", "context", "threshold"]],
    ['models."gpt-4.1".window', ["models", "gpt-4.1", "window"]],
    ['a."b \\" c"', ["a", 'b " c']],
    ['models.""', ["models", ""]],
  ])("reads %s", (text, path) => {
    expect(parsePath(text)).toEqual(path);
  });

  it.each(["", ".", "a.", ".a", "a..b", 'a."b', '"a"b', "a b", 'a."\\x"'])("rejects %j", (text) => {
    expect(() => parsePath(text)).toThrow(expect.objectContaining({ code: "settings.invalid" }));
  });

  it("reads what formatPath writes, for any names", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" }), { minLength: 1 }), (path) => {
        expect(parsePath(formatPath(path))).toEqual(path);
      }),
    );
  });
});

describe("values at paths", () => {
  const value = { a: { b: 1 }, list: [{ c: 2 }] };

  it("are found in objects and lists only", () => {
    expect(valueAt(value, ["a", "b"])).toBe(1);
    expect(valueAt(value, ["list", 0, "c"])).toBe(2);
    expect(valueAt(value, ["a", "b", "c"])).toBeUndefined();
    expect(valueAt(value, ["a", "constructor"])).toBeUndefined();
    expect(valueAt(value, [])).toBe(value);
  });

  it("are set without changing the rest", () => {
    expect(withValue(value, ["a", "x", "y"], 3)).toEqual({ ...value, a: { b: 1, x: { y: 3 } } });
    expect(withValue(value, ["list", 0, "c"], 3)).toEqual({ ...value, list: [{ c: 3 }] });
    expect(withValue(undefined, ["a"], 3)).toEqual({ a: 3 });
    expect(value).toEqual({ a: { b: 1 }, list: [{ c: 2 }] });
  });

  it("reach no prototype", () => {
    const made = withValue({}, ["__proto__", "polluted"], true);
    expect(Object.hasOwn(Object(made), "__proto__")).toBe(true);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it("are removed with objects that become empty", () => {
    expect(withoutValue(value, ["a", "b"])).toEqual({ list: value.list });
    expect(withoutValue({ a: { b: 1, c: 2 } }, ["a", "b"])).toEqual({ a: { c: 2 } });
    expect(withoutValue(value, ["x", "y"])).toEqual(value);
  });
});

it.each([
  [["a", "b"], ["a"], true],
  [["a"], ["a"], true],
  [["a"], ["a", "b"], false],
  [["ab"], ["a"], false],
  [["a", 0], ["a", "0"], true],
])("%j is within %j: %s", (path, outer, expected) => {
  expect(isWithin(path, outer)).toBe(expected);
});
