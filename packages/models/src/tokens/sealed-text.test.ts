import { expect, it } from "vitest";
import { sealedTextTokens } from "./sealed-text.ts";

it("takes a seal without a thought for nothing", () => {
  expect(["", "c2lnbmF0dXJl", "x".repeat(240)].map(sealedTextTokens)).toEqual([0, 0, 0]);
});

it.each([
  [1_564, 256],
  [3_144, 685],
  [10_632, 2_014],
])("is within a quarter of what a signature of %i characters was charged", (characters, charged) => {
  const tokens = 1.2 * sealedTextTokens("x".repeat(characters));
  expect(tokens / charged).toBeGreaterThan(0.75);
  expect(tokens / charged).toBeLessThan(1.25);
});
