import { expect, it } from "vitest";
import { callsIn, partsIn, spellCall, textsIn } from "./request.ts";

it("reads content as parts and texts", () => {
  expect(partsIn("a")).toEqual([{ type: "text", text: "a" }]);
  const content = [{ type: "text", text: "a" }, { type: "image_url" }, { type: "refusal", refusal: "no" }];
  expect(textsIn(content)).toEqual(["a", "no"]);
  expect(partsIn(null)).toEqual([]);
});

it("reads calls of functions and of custom tools", () => {
  expect(callsIn({ tool_calls: [{ id: "a" }] })).toEqual([{ id: "a" }]);
  expect(spellCall({ function: { name: "f", arguments: "{}" } })).toBe("f{}");
  expect(spellCall({ custom: { name: "c", input: "x" } })).toBe("cx");
});
