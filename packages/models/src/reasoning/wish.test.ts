import { expect, it } from "vitest";
import { parseWish, spellWish } from "./wish.ts";

it.each([
  ["1k", { kind: "budget", tokens: 1_024 }],
  ["4k", { kind: "budget", tokens: 4_096 }],
  ["8K", { kind: "budget", tokens: 8_192 }],
  ["100k", { kind: "budget", tokens: 102_400 }],
  ["8000", { kind: "budget", tokens: 8_000 }],
  ["99", { kind: "budget", tokens: 99 }],
  ["0", { kind: "budget", tokens: 0 }],
  ["-5", { kind: "budget", tokens: -5 }],
  ["9".repeat(30), { kind: "budget", tokens: Number.MAX_SAFE_INTEGER }],
  [`-${"9".repeat(30)}k`, { kind: "budget", tokens: Number.MIN_SAFE_INTEGER }],
  ["High", { kind: "effort", effort: "high" }],
  ["xhigh", { kind: "effort", effort: "xhigh" }],
  ["none", { kind: "off" }],
  ["auto", { kind: "auto" }],
])("reads %s", (text, wish) => {
  expect(parseWish(text)).toEqual(wish);
});

it.each(["", "k", "20b", "1.5k", "4 k", "ultra", "free", "1e3", "0x10"])("finds no wish in %j", (text) => {
  expect(parseWish(text)).toBeUndefined();
});

it("says a wish in a few words", () => {
  expect(["high", "4k", "none", "auto"].map((text) => spellWish(parseWish(text) ?? { kind: "off" }))).toEqual([
    "high",
    "4096 tokens",
    "off",
    "auto",
  ]);
});
