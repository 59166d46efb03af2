import { expect, it } from "vitest";
import { openPromptCache } from "./prompt-cache.ts";

it("has what was kept until its time is over", () => {
  const cache = openPromptCache();
  cache.keep("a", 100, 0);
  expect([cache.use("b", 0), cache.use("a", 99)]).toEqual([false, true]);
  expect([cache.use("a", 198), cache.use("a", 298)]).toEqual([true, false]);
});

it("keeps the longer of two lifetimes", () => {
  const cache = openPromptCache();
  cache.keep("a", 1_000, 0);
  cache.keep("a", 100, 10);
  expect(cache.use("a", 900)).toBe(true);
});

it("forgets everything when it is cleared", () => {
  const cache = openPromptCache();
  cache.keep("a", 100, 0);
  cache.clear();
  expect(cache.use("a", 1)).toBe(false);
});
