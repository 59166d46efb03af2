import { expect, it } from "vitest";
import { z } from "zod";
import { summaryOptionsOf, summarySettings } from "./summary-settings.ts";

const read = (settings: object) => z.strictObject(summarySettings).parse(settings);

it("a strategy's own prompt is used where the settings have none, or a blank one", () => {
  expect(summaryOptionsOf(read({}), "Own.")).toEqual({ prompt: "Own.", maxTokens: 4_000 });
  expect(summaryOptionsOf(read({ prompt: " \n" }), "Own.").prompt).toBe("Own.");
});

it("settings say prompt, length and profile", () => {
  const settings = read({ prompt: " Only names. ", maxSummaryTokens: 300, profile: "cheap" });
  expect(summaryOptionsOf(settings, "Own.")).toEqual({ prompt: "Only names.", maxTokens: 300, profile: "cheap" });
});
