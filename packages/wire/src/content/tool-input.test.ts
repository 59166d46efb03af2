import { anyJson, anyText } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JSON_LIMITS } from "../bytes/scan-json.ts";
import { freeText, inputObject, isBlankInput, noArguments, parseInput, stringifyInput } from "./tool-input.ts";

describe("parseInput and stringifyInput", () => {
  it("round-trip every JSON value except strings and null", () => {
    fc.assert(
      fc.property(
        anyJson().filter((value) => typeof value !== "string" && value !== null),
        (value) => {
          expect(parseInput(stringifyInput(value))).toEqual(value);
        },
      ),
    );
  });

  it("keep text that is not JSON unchanged", () => {
    expect(parseInput('{"path": ')).toBe('{"path": ');
    expect(stringifyInput('{"path": ')).toBe('{"path": ');
    expect(stringifyInput(parseInput('"quoted"'))).toBe('"quoted"');
  });

  it("keep arguments with more values than a body may have as text", () => {
    const values = `[${"0,".repeat(JSON_LIMITS.values)}0]`;
    expect(parseInput(values)).toBe(values);
  });

  it("treat blank text as no arguments", () => {
    expect(parseInput("")).toEqual({});
    expect(parseInput(" \n")).toEqual({});
    expect(parseInput("null")).toEqual({});
    expect(["", " ", "null", "{}", "nullify"].map(isBlankInput)).toEqual([true, true, true, false, false]);
  });

  it("add an empty object for a streamed call without arguments", () => {
    expect(noArguments(3, false)).toEqual([{ type: "tool-call-delta", index: 3, json: "{}" }]);
    expect(noArguments(3, true)).toEqual([]);
  });
});

describe("inputObject and freeText", () => {
  it("wrap free text and unwrap it again", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(freeText(inputObject(text))).toBe(text);
      }),
    );
  });

  it("keep an object, and return other input as JSON text", () => {
    expect(inputObject({ path: "a" })).toEqual({ path: "a" });
    expect(inputObject([1])).toEqual({ input: [1] });
    expect(freeText({ path: "a" })).toBe('{"path":"a"}');
    expect(freeText("plain")).toBe("plain");
  });
});
