import { expect, it } from "vitest";
import { z } from "zod";
import { summarySettings, wishOf } from "./summary-settings.ts";

const read = (settings: object) => z.strictObject(summarySettings).parse(settings);

it("a strategy's own prompt is used where the settings have none, or a blank one", () => {
  expect(wishOf(read({}), "Own.")).toEqual({ prompt: "Own.", maxTokens: 4_000 });
  expect(wishOf(read({ prompt: " \n" }), "Own.").prompt).toBe("Own.");
});

it("settings say prompt, length and profile", () => {
  const settings = read({ prompt: " Only names. ", maxSummaryTokens: 300, profile: "cheap" });
  expect(wishOf(settings, "Own.")).toEqual({ prompt: "Only names.", maxTokens: 300, profile: "cheap" });
});
