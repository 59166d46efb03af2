import { makeConversation, makeToolResult, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { expandReference, rawText } from "./expand.ts";

const raw = makeConversation([makeUser("Read."), makeUser(makeToolResult("a", "head\n  one\n  two\ntail"))]);
const target = { message: 1, block: 0, path: [0] };

describe("expandReference", () => {
  it("tells the text from what the record points to", () => {
    expect(expandReference(raw, { target, from: 5, to: 16 })).toBe("  one\n  two");
    const dressing = { numbering: { first: 9, width: 3, separator: "→" } };
    expect(expandReference(raw, { target, from: 5, to: 16, dressing })).toBe("  9→  one\n 10→  two");
  });

  it("gives nothing where the target is not dressed as recorded", () => {
    const targetDressing = { ending: "\r" } as const;
    expect(expandReference(raw, { target, from: 5, to: 16, targetDressing })).toBeUndefined();
  });
});

describe("rawText", () => {
  it("is empty where there is no text", () => {
    expect(rawText(raw, { ...target, message: 7 })).toBe("");
    expect(rawText(raw, { ...target, path: [3] })).toBe("");
  });
});
