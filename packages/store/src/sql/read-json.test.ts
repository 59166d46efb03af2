import { describe, expect, it } from "vitest";
import { readJson } from "./read-json.ts";

describe("readJson", () => {
  it("reads JSON", () => {
    expect(readJson('{"ratio": 1.25}')).toEqual({ ratio: 1.25 });
  });

  it.each(["", "{", "undefined"])("reads %j as nothing", (text) => {
    expect(readJson(text)).toBeUndefined();
  });
});
