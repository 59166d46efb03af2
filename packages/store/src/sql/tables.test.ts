import { describe, expect, it } from "vitest";
import { readJson, readJsonObject } from "./tables.ts";

describe("readJson", () => {
  it("reads JSON", () => {
    expect(readJson('{"ratio": 1.25}')).toEqual({ ratio: 1.25 });
  });

  it.each(["", "{", "undefined"])("reads %j as nothing", (text) => {
    expect(readJson(text)).toBeUndefined();
  });
});

describe("readJsonObject", () => {
  it("reads an object", () => {
    expect(readJsonObject('{"ratio": 1.25}')).toEqual({ ratio: 1.25 });
  });

  it.each(["", "{", "[]", "null", "7"])("reads %j as an empty one", (text) => {
    expect(readJsonObject(text)).toEqual({});
  });
});
