import {
  anyBlock,
  makeImage,
  makeText,
  makeThinking,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isInside, positionKey, samePath, textAt, textIn, textsIn, withText } from "./text-position.ts";

describe("textsIn", () => {
  it("finds every string of a call's input with its path", () => {
    const call = makeToolCall("a", { input: { path: "x.ts", edits: [{ find: "1", replace: "2" }], deep: 3 } });
    expect(textsIn(call)).toEqual([
      { path: ["path"], text: "x.ts" },
      { path: ["edits", 0, "find"], text: "1" },
      { path: ["edits", 0, "replace"], text: "2" },
    ]);
  });

  it("finds the text entries of a result and skips its images", () => {
    const result = makeToolResult("a", [makeImage(), makeText("after the picture")]);
    expect(textsIn(result)).toEqual([{ path: [1], text: "after the picture" }]);
  });

  it("finds no text in thinking and images", () => {
    expect([...textsIn(makeThinking()), ...textsIn(makeImage())]).toEqual([]);
  });
});

describe("textAt", () => {
  it("returns every text that textsIn found", () => {
    fc.assert(
      fc.property(anyBlock(), (block) => {
        for (const { path, text } of textsIn(block)) expect(textAt(block, path)).toBe(text);
      }),
    );
  });

  it("returns undefined for a path without a text", () => {
    expect(textAt(makeToolCall(), ["missing", "deeper"])).toBeUndefined();
    expect(textAt(makeToolResult("a", [makeImage()]), [0])).toBeUndefined();
    expect(textAt(makeText("x"), ["a"])).toBeUndefined();
    expect(textAt(makeToolCall("a", { input: { list: ["z"] } }), ["toString"])).toBeUndefined();
  });
});

describe("withText", () => {
  it("changes only that text", () => {
    fc.assert(
      fc.property(anyBlock(), fc.nat(), (block, pick) => {
        const texts = textsIn(block);
        const chosen = texts[pick % Math.max(texts.length, 1)];
        fc.pre(chosen !== undefined);
        const after = withText(block, chosen!.path, "changed");
        const expected = texts.map((entry) =>
          samePath(entry.path, chosen!.path) ? { ...entry, text: "changed" } : entry,
        );
        expect(textsIn(after)).toEqual(expected);
      }),
    );
  });

  it("drops the native value of the block", () => {
    const block = { ...makeText("old"), native: { wire: "w", value: "old" }, extra: { kept: true } };
    expect(withText(block, [], "new")).toEqual({ type: "text", text: "new", extra: { kept: true } });
  });

  it("leaves a block without that text unchanged", () => {
    const image = makeImage();
    expect(withText(image, [], "x")).toBe(image);
  });
});

describe("textIn", () => {
  it("returns the text at a position of a message, or an empty string", () => {
    const message = makeUser(["first", makeToolResult("a", "second")]);
    expect([textIn(message, { block: 0, path: [] }), textIn(message, { block: 1, path: [0] })]).toEqual([
      "first",
      "second",
    ]);
    expect([textIn(message, { block: 2, path: [] }), textIn(undefined, { block: 0, path: [] })]).toEqual(["", ""]);
  });
});

describe("paths and keys", () => {
  it("recognize nested paths and distinguish positions", () => {
    expect([isInside(["a", 1], ["a"]), isInside(["a"], ["a"]), isInside(["a"], ["a", 1])]).toEqual([true, true, false]);
    const positions = [[], [0], ["0"], [0, 1], ["0,1"]].map((path) => positionKey({ message: 1, block: 2, path }));
    expect(new Set([...positions, positionKey({ message: 12, block: 0, path: [] })]).size).toBe(6);
  });
});
