import { expect, it } from "vitest";
import { geminiModel, makeGeminiRequest } from "../testing/make-gemini-request.ts";
import { builtInTools, configIn, declarationsIn, isThinking, signsCalls } from "./request.ts";

const thinks = (model: string, thinkingConfig?: object) =>
  isThinking(
    makeGeminiRequest(thinkingConfig === undefined ? {} : { generationConfig: { thinkingConfig } }, {
      model: geminiModel(model),
    }),
  );

it.each([
  ["gemini-2.0-flash", undefined, false],
  ["gemini-2.5-flash", undefined, true],
  ["gemini-2.5-flash-lite", undefined, false],
  ["gemini-2.5-flash-lite", { thinkingBudget: -1 }, true],
  ["gemini-2.5-flash", { thinkingBudget: 0 }, false],
  ["gemini-3.5-flash", undefined, true],
  ["gemini-3.5-flash", { thinkingLevel: "MINIMAL" }, false],
  ["gemini-3.5-flash", { thinkingLevel: "HIGH" }, true],
])("%s with %o thinks: %s", (model, config, expected) => {
  expect(thinks(model, config)).toBe(expected);
});

it("tells functions from tools that Google runs", () => {
  const tools = [{ functionDeclarations: [{ name: "f" }] }, { googleSearch: {}, codeExecution: {} }];
  expect(declarationsIn({ body: { tools } })).toEqual([{ name: "f" }]);
  expect(builtInTools({ body: { tools } })).toEqual(["googleSearch", "codeExecution"]);
  expect(configIn({ body: {} })).toEqual({});
});

it.each([
  ["gemini-2.5-pro", false],
  ["gemini-2.5-computer-use-preview-10-2025", false],
  ["gemini-3-flash-preview", true],
  ["gemini-flash-latest", true],
  ["gemini-4-argon", true],
])("%s signs its calls: %s", (id, expected) => {
  expect(signsCalls(geminiModel(id))).toBe(expected);
});
