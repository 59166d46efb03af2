import { describe, expect, it } from "vitest";
import { LineIndex } from "./line-index.ts";
import { Lines } from "./lines.ts";

const text = ["same words", "other words", "same words", "}", ...Array.from({ length: 40 }, () => "many a time")].join(
  "\n",
);
const lines = new Lines(() => text);
lines.add({ from: 0, to: text.length, group: "" });

describe("LineIndex", () => {
  it("finds known lines that say the same, the latest first", () => {
    const index = new LineIndex(lines);
    expect(index.find(0)).toEqual([]);
    index.add(0);
    index.add(1);
    index.add(2);
    expect(index.find(0)).toEqual([2, 0]);
    expect(index.find(1)).toEqual([1]);
  });

  it("knows only the first of many, and none that says next to nothing", () => {
    const index = new LineIndex(lines);
    for (let row = 3; row < 44; row++) index.add(row);
    expect(index.find(43)).toEqual(Array.from({ length: 16 }, (_, at) => 19 - at));
    expect(index.find(3)).toEqual([]);
  });

  it("forgets the last rows as if they had never been known", () => {
    const index = new LineIndex(lines);
    for (let row = 0; row < 44; row++) index.add(row);
    index.cut(2);
    expect(index.find(0)).toEqual([0]);
    expect(index.find(43)).toEqual([]);
    for (let row = 2; row < 44; row++) index.add(row);
    expect(index.find(0)).toEqual([2, 0]);
    expect(index.find(43)).toEqual(Array.from({ length: 16 }, (_, at) => 19 - at));
  });
});
