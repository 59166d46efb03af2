import { anyJson, anyText } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JSON_LIMITS } from "../bytes/scan-json.ts";
import { freeText, inputObject, isBlankInput, noArguments, parseInput, stringifyInput } from "./tool-input.ts";

describe("parseInput and spellInput", () => {
  it("bring every JSON value but a string and null back", () => {
    fc.assert(
      fc.property(
        anyJson().filter((value) => typeof value !== "string" && value !== null),
        (value) => {
          expect(parseInput(stringifyInput(value))).toEqual(value);
        },
      ),
    );
  });

  it("keep what is not JSON as the model wrote it", () => {
    expect(parseInput('{"path": ')).toBe('{"path": ');
    expect(stringifyInput('{"path": ')).toBe('{"path": ');
    expect(stringifyInput(parseInput('"quoted"'))).toBe('"quoted"');
  });

  it("keep arguments with more values than a body may have as text", () => {
    const values = `[${"0,".repeat(JSON_LIMITS.values)}0]`;
    expect(parseInput(values)).toBe(values);
  });

  it("take nothing for no arguments", () => {
    expect(parseInput("")).toEqual({});
    expect(parseInput(" \n")).toEqual({});
    expect(parseInput("null")).toEqual({});
    expect(["", " ", "null", "{}", "nullify"].map(isBlankInput)).toEqual([true, true, true, false, false]);
  });

  it("give a stream that said nothing of a call's arguments an empty object", () => {
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

  it("leave an object alone, and spell out what is no free text", () => {
    expect(inputObject({ path: "a" })).toEqual({ path: "a" });
    expect(inputObject([1])).toEqual({ input: [1] });
    expect(freeText({ path: "a" })).toBe('{"path":"a"}');
    expect(freeText("plain")).toBe("plain");
  });
});
