import { expect, it } from "vitest";
import { argumentTokens } from "./argument-tokens.ts";

it.each([
  ["50000", 50_000],
  ["50k", 50_000],
  ["1.5M", 1_500_000],
])("reads %s", (text, tokens) => {
  expect(argumentTokens(text)).toBe(tokens);
});

it.each(["", "0", "-5", "ten", "1.5", "5g"])("refuses %j and says what to give", (text) => {
  expect(() => argumentTokens(text)).toThrow("give one such as 50000, 50k or 1m");
});
