import { expect, it } from "vitest";
import { collectWarnings } from "./rules.ts";

it("counts repeated warnings instead of listing them again", () => {
  const { warn, warnings } = collectWarnings();
  warn("block.thinking", "dropped", "foreign");
  warn("block.thinking", "dropped", "foreign");
  warn("block.thinking", "dropped", "unsigned");
  expect(warnings()).toEqual([
    { feature: "block.thinking", action: "dropped", message: "foreign", count: 2 },
    { feature: "block.thinking", action: "dropped", message: "unsigned", count: 1 },
  ]);
});
