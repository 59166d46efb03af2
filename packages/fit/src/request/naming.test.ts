import { expect, it } from "vitest";
import { cleanName } from "./naming.ts";

it("returns ordinary names unchanged", () => {
  expect(cleanName("anthropic/claude-opus-4-6:high 漢字 é")).toBe("anthropic/claude-opus-4-6:high 漢字 é");
});

it("truncates long names and replaces characters that a database may refuse", () => {
  expect(cleanName("m".repeat(5_000))).toHaveLength(200);
  expect(cleanName("a\0b\nc\ud800")).toBe("a\uFFFDb\uFFFDc\uFFFD");
  expect(cleanName(`${"m".repeat(199)}😀`)).toBe(`${"m".repeat(199)}\uFFFD`);
});
