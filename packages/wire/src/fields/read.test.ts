import { describe, expect, it } from "vitest";
import { countOf, extraOf, fieldOf, malformed, optionalString, readList, readObject, readString } from "./read.ts";

describe("readers", () => {
  it("name the place, what stands there and what belongs there", () => {
    expect(() => readObject([], "body")).toThrow("body: expected an object, got a list");
    expect(() => readList("x", "messages")).toThrow('messages: expected a list, got "x"');
    expect(() => readString(undefined, "tools[0].name")).toThrow("tools[0].name: expected a string, got nothing");
    expect(() => readString(null, "a")).toThrow("got null");
    expect(malformed("a", "b", 7)).toMatchObject({
      code: "request.malformed",
      message: "a: expected b, got a value of type number",
    });
  });

  it("cut what they quote", () => {
    expect(malformed("a", "b", "x".repeat(500)).message.length).toBeLessThan(80);
  });

  it("read what is optional without complaint", () => {
    expect([optionalString("a"), optionalString(1), optionalString(undefined)]).toEqual(["a", undefined, undefined]);
    expect([countOf(3), countOf(null), countOf("3")]).toEqual([3, 0, 0]);
    expect([-3, Number.POSITIVE_INFINITY, 1e300].map(countOf)).toEqual([0, 0, 0]);
    expect([fieldOf({ a: 1 }, "a"), fieldOf([1], "0"), fieldOf(undefined, "a")]).toEqual([1, undefined, undefined]);
  });
});

describe("extraOf", () => {
  it("gives the fields that nobody knows, or nothing", () => {
    expect(extraOf({ a: 1, b: 2 }, new Set(["a"]))).toEqual({ b: 2 });
    expect(extraOf({ a: 1 }, new Set(["a"]))).toBeUndefined();
  });
});
