import { expect, it } from "vitest";
import { inWords } from "./words.ts";

it.each([
  ["maxToolResultLines", "Max tool result lines"],
  ["preserve_recent", "Preserve recent"],
  ["usdPerDay", "Usd per day"],
  ["", ""],
])("spells %j as %j", (name, words) => {
  expect(inWords(name)).toBe(words);
});
