import { describe, expect, it } from "vitest";
import { geminiModel, makeGeminiRequest } from "../testing/make.ts";
import {
  beginsTurn,
  builtInTools,
  callsIn,
  configIn,
  declarationsIn,
  isThinking,
  locatedParts,
  pathOf,
  responsesIn,
  signsCalls,
} from "./request.ts";

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

it("distinguishes functions from Google's own tools", () => {
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

describe("messages", () => {
  const call = { role: "model", parts: [{ text: "a" }, { functionCall: { name: "f" } }] };
  const response = { role: "user", parts: [{ functionResponse: { name: "f" } }] };

  it("formats positions like error messages", () => {
    const [, second] = locatedParts({ contents: [{ parts: [{ text: "q" }] }, call] });
    expect(second).toEqual({ content: 1, index: 0, role: "model", part: { text: "a" } });
    expect(pathOf({ content: 1, index: 0 })).toBe("GenerateContentRequest.contents[1].parts[0]");
  });

  it("finds calls and results", () => {
    expect([callsIn(call), responsesIn(call)]).toEqual([[{ name: "f" }], []]);
    expect([callsIn(response), responsesIn(response)]).toEqual([[], [{ name: "f" }]]);
  });

  it("starts a turn with the user's own text", () => {
    expect([{ parts: [{ text: "q" }] }, call, response].map(beginsTurn)).toEqual([true, false, false]);
  });
});
