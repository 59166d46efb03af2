import { expect, it } from "vitest";
import { PAGE_STYLE } from "./page-style.ts";

it("has a colour for every part, strategy and curve, and loads nothing", () => {
  for (const index of [0, 8, 9]) expect(PAGE_STYLE.markup).toContain(`.c${index}{fill:#`);
  expect(PAGE_STYLE.markup).not.toMatch(/url\(|@import/);
});
