import { formatCount, formatUsd } from "@longhaul/models/format";
import { describe, expect, it } from "vitest";
import { spellDeviation, spellMany, spellPercent, spellTable, styleOf } from "./style.ts";

const plain = styleOf({ hasColours: false });

describe("styleOf", () => {
  it("leaves words alone where there are no colours", () => {
    expect([plain.bold("a"), plain.good("b")]).toEqual(["a", "b"]);
    expect(styleOf({ hasColours: true }).bold("a")).toBe("\u001b[1ma\u001b[22m");
  });
});

it("spells counts, shares and money the same on every machine", () => {
  expect([formatCount(1234567.6), spellPercent(0.405), spellPercent(-0.0123, 1)]).toEqual([
    "1,234,568",
    "41 %",
    "-1.2 %",
  ]);
  expect([spellMany(1, "turn"), spellMany(0, "turn"), spellMany(8500, "turn")]).toEqual([
    "1 turn",
    "0 turns",
    "8,500 turns",
  ]);
  expect([formatUsd(12.345), formatUsd(0.00361), formatUsd(-0.5)]).toEqual(["$12.35", "$0.0036", "-$0.5000"]);
});

it("spells how far something is off with its sign, and no sign where it is not", () => {
  expect([0.012, -0.0371, 0, 0.0001, -0.0001].map(spellDeviation)).toEqual([
    "+1.2 %",
    "-3.7 %",
    "0.0 %",
    "0.0 %",
    "0.0 %",
  ]);
});

it("lines columns up", () => {
  expect(
    spellTable(
      [
        ["name", "n"],
        ["a", "12"],
        ["long name", "3"],
      ],
      plain,
    ),
  ).toBe("name        n\na          12\nlong name   3\n");
});
