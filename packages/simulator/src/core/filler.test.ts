import { expect, it } from "vitest";
import { fillerText, garbageText } from "./filler.ts";
import { makeTokenizer } from "./tokens.ts";

it("fills a number of tokens with the same sentences", () => {
  const tokenizer = makeTokenizer(1.18);
  for (const tokens of [5, 100, 5_000]) {
    const text = fillerText(tokens, tokenizer);
    expect(tokenizer.weigh(text)).toBeLessThanOrEqual(tokens);
    expect(tokenizer.weigh(text)).toBeGreaterThan(tokens * 0.8 - 2);
    expect(fillerText(tokens, tokenizer)).toBe(text);
  }
});

it("makes characters without words", () => {
  expect(garbageText()).toHaveLength(240);
  expect(garbageText()).not.toMatch(/[a-z]{4}/);
});
