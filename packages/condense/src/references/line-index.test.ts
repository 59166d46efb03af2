import { describe, expect, it } from "vitest";
import { makeLineIndex } from "./line-index.ts";
import { readLines } from "./lines.ts";

const text = ["same words", "other words", "same words", "}", ...Array.from({ length: 40 }, () => "many a time")].join(
  "\n",
);
const lines = readLines([{ text, from: 0, to: text.length, group: "" }]);

describe("makeLineIndex", () => {
  it("finds known lines that say the same, the latest first", () => {
    const index = makeLineIndex(lines);
    expect(index.find(0)).toEqual([]);
    index.add(0);
    index.add(1);
    index.add(2);
    expect(index.find(0)).toEqual([2, 0]);
    expect(index.find(1)).toEqual([1]);
  });

  it("knows only the first of many, and none that says next to nothing", () => {
    const index = makeLineIndex(lines);
    for (let row = 3; row < 44; row++) index.add(row);
    expect(index.find(43)).toEqual(Array.from({ length: 16 }, (_, at) => 19 - at));
    expect(index.find(3)).toEqual([]);
  });
});
