import { expect, it } from "vitest";
import { geminiModel, makeGeminiRequest } from "../testing/make-gemini-request.ts";
import { checkThinking } from "./check-thinking.ts";

const check = (model: string, thinkingConfig: object) => () =>
  checkThinking(makeGeminiRequest({ generationConfig: { thinkingConfig } }, { model: geminiModel(model) }));

it.each([
  [
    "gemini-3.5-flash",
    { thinkingBudget: 9, thinkingLevel: "LOW" },
    "You can only set only one of thinking budget and thinking level.",
  ],
  ["gemini-2.5-flash", { thinkingLevel: "LOW" }, "Thinking level is not supported for this model."],
  [
    "gemini-3.7-flash",
    { thinkingLevel: "MINIMAL" },
    "Thinking level MINIMAL is not supported for this model. Please retry with other thinking level.",
  ],
  ["gemini-2.5-pro", { thinkingBudget: 0 }, "Budget 0 is invalid. This model only works in thinking mode."],
  ["gemini-3.6-flash", { thinkingBudget: 0 }, "Budget 0 is invalid. This model only works in thinking mode."],
  [
    "gemini-2.5-pro",
    { thinkingBudget: 127 },
    "The thinking budget 127 is invalid. Please choose a value between 128 and 32768.",
  ],
  [
    "gemini-2.5-flash",
    { thinkingBudget: 24_577 },
    "The thinking budget 24577 is invalid. Please choose a value between 1 and 24576.",
  ],
  ["gemini-2.0-flash", { thinkingBudget: 9 }, "Thinking is not supported for this model."],
  [
    "gemini-2.5-flash",
    { thinkingBudget: 0, includeThoughts: true },
    "Thinking_config.include_thoughts is only enabled when thinking is enabled.",
  ],
])("refuses %s with %o", (model, config, message) => {
  expect(check(model, config)).toThrow(message);
});

it.each([
  ["gemini-2.5-flash", { thinkingBudget: 0 }],
  ["gemini-2.5-flash", { thinkingBudget: -1, includeThoughts: true }],
  ["gemini-2.5-flash", { thinkingBudget: 24_576 }],
  ["gemini-2.0-flash", { thinkingBudget: 0 }],
  ["gemini-3.6-flash", { thinkingBudget: 512 }],
  ["gemini-3.6-flash", { thinkingLevel: "MINIMAL", includeThoughts: true }],
  ["gemini-4-argon", { thinkingLevel: "HIGH" }],
  ["gemini-4-argon", {}],
])("takes %s with %o", (model, config) => {
  expect(check(model, config)).not.toThrow();
});
