import { expect, it } from "vitest";
import { withFallbacks } from "./choices.ts";
import { findStrategy } from "./registry.ts";

const idsOf = (id: string, fallbacks?: readonly string[]) =>
  withFallbacks({ strategy: findStrategy(id), config: {} }, fallbacks).map(({ strategy }) => strategy.id);

it("tries others in turn, and none twice", () => {
  expect(idsOf("smart")).toEqual(["smart", "native", "middle-out"]);
  expect(idsOf("native")).toEqual(["native", "middle-out"]);
  expect(idsOf("smart", ["truncation"])).toEqual(["smart", "truncation"]);
  expect(idsOf("smart", [])).toEqual(["smart"]);
});
