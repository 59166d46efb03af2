import { describe, expect, it } from "vitest";
import { readJson, readJsonObject } from "./tables.ts";

describe("readJson", () => {
  it("reads JSON", () => {
    expect(readJson('{"ratio": 1.25}')).toEqual({ ratio: 1.25 });
  });

  it.each(["", "{", "undefined"])("returns undefined for %j", (text) => {
    expect(readJson(text)).toBeUndefined();
  });
});

describe("readJsonObject", () => {
  it("reads an object", () => {
    expect(readJsonObject('{"ratio": 1.25}')).toEqual({ ratio: 1.25 });
  });

  it.each(["", "{", "[]", "null", "7"])("returns an empty object for %j", (text) => {
    expect(readJsonObject(text)).toEqual({});
  });
});
