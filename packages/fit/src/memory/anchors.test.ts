import { describe, expect, it } from "vitest";
import { makeAnchors } from "./anchors.ts";

const anchor = { reported: 1_100, estimated: 1_000, ratio: 1, atMs: 5 };

describe("makeAnchors", () => {
  it("corrects by the report for the longest known prefix in the same form", () => {
    const anchors = makeAnchors();
    anchors.keep("form", "a", { ...anchor, reported: 1_500 });
    anchors.keep("form", "b", anchor);
    anchors.keep("other", "c", { ...anchor, reported: 1_900 });
    expect(anchors.correction("form", ["a", "b", "c"], 1)).toBe(100);
    expect(anchors.correction("form", ["a", "x"], 1)).toBe(500);
    expect(anchors.correction("form", ["x"], 1)).toBe(0);
    expect(anchors.correction("form", [], 1)).toBe(0);
  });

  it("converts to the current ratio", () => {
    const anchors = makeAnchors();
    anchors.keep("form", "a", anchor);
    expect(anchors.correction("form", ["a"], 1.1)).toBe(0);
    expect(anchors.correction("form", ["a"], 1.2)).toBe(-100);
  });

  it("returns the last sent messages and their time, unless they were refused", () => {
    const anchors = makeAnchors();
    anchors.keep("form", "a", anchor);
    anchors.keep("form", "b", { ...anchor, atMs: 9, wasRefused: true });
    expect(anchors.sentAtMs("form", ["a", "b"])).toBe(5);
    expect(anchors.sentMessages("form", ["a", "b"])).toBe(1);
    expect(anchors.sentAtMs("form", ["x"])).toBeUndefined();
    expect(anchors.sentMessages("form", ["x"])).toBe(0);
  });

  it("returns the time of sending only for the same system prompt", () => {
    const anchors = makeAnchors();
    anchors.keep("form", "a", { ...anchor, head: "morning" });
    anchors.keep("form", "b", { ...anchor, atMs: 9, head: "noon" });
    expect(anchors.sentAtMs("form", ["a", "b"], "morning")).toBe(5);
    expect(anchors.sentAtMs("form", ["a", "b"], "night")).toBeUndefined();
    expect(anchors.sentAtMs("form", ["a", "b"])).toBe(9);
  });

  it("returns the prefix that was learned from, by the longest known prefix", () => {
    const anchors = makeAnchors();
    const learned = { messages: 1, reported: 900, headTokens: 30, ratio: 1 };
    anchors.keep("form", "a", { ...anchor, learned });
    anchors.keep("form", "b", { ...anchor, learned: { ...learned, messages: 2 } });
    expect(anchors.learnedPart("form", ["a", "b", "c"])?.messages).toBe(2);
    expect(anchors.learnedPart("form", ["a", "x"])).toEqual(learned);
    expect(anchors.learnedPart("other", ["a", "b"])).toBeUndefined();
  });

  it("copies the last report of a form to one with the same prefix", () => {
    const anchors = makeAnchors();
    anchors.keep("form", "a", { ...anchor, reported: 1_500 });
    anchors.keep("form", "b", anchor);
    anchors.carry("form", "grown", ["a", "b", "c"]);
    expect(anchors.correction("grown", ["a", "b", "c"], 1)).toBe(100);
    expect(anchors.sentMessages("grown", ["a", "b", "c"])).toBe(2);
    anchors.carry("none", "other", ["a", "b", "c"]);
    expect(anchors.sentMessages("other", ["a", "b", "c"])).toBe(0);
  });

  it("looks back only a few turns", () => {
    const anchors = makeAnchors();
    anchors.keep("form", "0", anchor);
    const prefixes = Array.from({ length: 51 }, (_, index) => `${index}`);
    expect(anchors.sentMessages("form", prefixes.slice(0, 50))).toBe(1);
    expect(anchors.sentMessages("form", prefixes)).toBe(0);
  });

  it("evicts the least recent reports", () => {
    const anchors = makeAnchors(2);
    for (const prefix of ["a", "b", "a", "c"]) anchors.keep("form", prefix, anchor);
    expect(["a", "b", "c"].map((prefix) => anchors.sentMessages("form", [prefix]))).toEqual([1, 0, 1]);
  });
});
