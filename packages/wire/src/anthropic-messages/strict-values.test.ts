import { describe, expect, it } from "vitest";
import {
  fieldAt,
  refuseOthers,
  strictBoolean,
  strictInteger,
  strictList,
  strictObject,
  strictString,
  strictStrings,
  strictTag,
} from "./strict-values.ts";

describe("strict values", () => {
  it("are what they are said to be", () => {
    expect(strictObject({ value: { a: 1 }, path: "x" })).toEqual({ a: 1 });
    expect(strictList({ value: [1], path: "x" })).toEqual([1]);
    expect(strictStrings({ value: ["a"], path: "x" })).toEqual(["a"]);
    expect(strictString({ value: "", path: "x" })).toBe("");
    expect(strictBoolean({ value: false, path: "x" })).toBe(false);
    expect(strictInteger({ value: 0, path: "x" }, 0)).toBe(0);
    expect(strictTag({ type: "b" }, "x", ["a", "b"])).toBe("b");
    expect(() => refuseOthers({ a: 1 }, "x", ["a", "b"])).not.toThrow();
  });

  it("are found with the way to them, null as if it were absent", () => {
    expect(fieldAt({ a: 0 }, "x", "a")).toEqual({ value: 0, path: "x.a" });
    expect(fieldAt({ a: null }, "x", "a")).toEqual({ value: undefined, path: "x.a" });
  });

  it.each<[() => unknown, string]>([
    [() => strictObject({ value: [], path: "x" }), "x: Input should be an object"],
    [() => strictList({ value: {}, path: "x" }), "x: Input should be a valid array"],
    [() => strictList({ value: undefined, path: "x" }), "x: Input should be a valid array"],
    [() => strictStrings({ value: ["a", 1], path: "x" }), "x.1: Input should be a valid string"],
    [() => strictBoolean({ value: 1, path: "x" }), "x: Input should be a valid boolean"],
    [() => strictInteger({ value: undefined, path: "x" }, 0), "x: Field required"],
    [() => strictInteger({ value: "1", path: "x" }, 0), "x: Input should be a valid integer"],
    [() => strictInteger({ value: 0.5, path: "x" }, 0), "x: Input should be a valid integer"],
    [() => strictInteger({ value: 6, path: "x" }, 7), "x: Input should be greater than or equal to 7"],
    [() => strictTag({}, "x", ["a"]), "x: Unable to extract tag using discriminator 'type'"],
    [
      () => strictTag({ type: "c" }, "x", ["a", "b"]),
      "x: Input tag 'c' found using 'type' does not match any of the expected tags: 'a', 'b'",
    ],
    [() => refuseOthers({ a: 1, c: 2 }, "x", ["a"]), "x.c: Extra inputs are not permitted"],
  ])("are refused in the API's words: %s", (act, message) => {
    expect(act).toThrow(expect.objectContaining({ code: "request.malformed", message, param: message.split(":")[0] }));
  });
});
