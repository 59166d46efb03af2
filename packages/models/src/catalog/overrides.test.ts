import { LonghaulError } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { loadCatalog } from "./load-catalog.ts";
import { parseOverrides } from "./overrides.ts";

function errorOf(overrides: unknown): LonghaulError {
  try {
    parseOverrides(overrides);
  } catch (error) {
    if (error instanceof LonghaulError) return error;
  }
  throw new Error("no named error was thrown");
}

it("returns valid overrides as they are", () => {
  const overrides = { "gpt-*": { window: 5 }, "gpt-4o": { prices: { input: 1 } } };
  expect(parseOverrides(overrides)).toEqual(overrides);
});

describe("an invalid window", () => {
  it.each([[-1], [0], [1.5], [Number.NaN], ["200000"], [null], [{}]])("throws a named error for %j", (limit) => {
    const overrides = { "gpt-4o": { window: limit } };
    const error = errorOf(overrides);
    // A program without a compiler can pass it unchecked.
    expect(() => Reflect.apply(loadCatalog, undefined, [overrides])).toThrow(error.message);
    expect(error.code).toBe("VALIDATION_ERROR");
    expect(error.message).toMatch(
      /^Context limit must be positive: the override for "gpt-4o" sets window to .+; set a whole number/,
    );
  });
});

describe("an invalid override", () => {
  it.each([
    [{ "gpt-4o": { windw: 5 } }, /"gpt-4o".*has no field "windw" \(known: .*window/],
    [{ "gpt-4o": { prices: { input: -1 } } }, /prices\.input is -1/],
    [{ "gpt-4o": { prices: { inputs: 1 } } }, /prices has no field "inputs"/],
    [{ "gpt-4o": { prices: { tiers: [{ aboveInputTokens: "x" }] } } }, /prices\.tiers\.0\.aboveInputTokens is "x"/],
    [{ "gpt-4o": { tokenizer: "words" } }, /tokenizer is "words".*o200k/],
    [{ "gpt-4o": { maxOutput: "many" } }, /maxOutput is "many"/],
    [{ "gpt-4o": { images: { supported: "yes" } } }, /images\.supported is "yes"/],
    [{ "gpt-4o": 5 }, /it is 5/],
    [{ "gpt-4o": [1] }, /it is \[1\]/],
    ["gpt-4o", /object of model names/],
    [null, /object of model names/],
  ])("names the invalid field of %j", (overrides, message) => {
    const error = errorOf(overrides);
    expect(error.code).toBe("catalog.invalid");
    expect(error.message).toMatch(message);
    expect(error.message).toMatch(/correct or remove it$/);
  });

  it("names all problems at once", () => {
    expect(errorOf({ x: { maxOutput: 0, maxInput: 0 } }).message).toMatch(/maxOutput.*maxInput/);
  });
});
