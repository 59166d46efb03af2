import { expect, it } from "vitest";
import { makeGeminiRequest } from "../testing/make.ts";
import { promptOf } from "./prompt.ts";

const declare = (name: string, rest: object = {}) => ({ functionDeclarations: [{ name, ...rest }] });

it("shows the model system, turns and functions", () => {
  const contents = [
    { role: "user", parts: [{ text: "q" }, { inlineData: { mimeType: "image/png" } }] },
    {
      role: "model",
      parts: [{ text: "hm", thought: true }, { functionCall: { id: "call_s1_a", name: "f", args: { a: 1 } } }],
    },
    { role: "user", parts: [{ functionResponse: { id: "call_s1_a", name: "f", response: { output: "found" } } }] },
    { role: "model", parts: [{ functionCall: { name: "f" } }] },
    { parts: [{ functionResponse: { name: "f", response: { b: 2 } } }] },
  ];
  const prompt = promptOf(
    makeGeminiRequest({
      contents,
      systemInstruction: { parts: [{ text: "be" }, { text: "brief" }] },
      tools: [
        declare("f", { parameters: { type: "OBJECT" } }),
        declare("g", { parametersJsonSchema: { type: "object" } }),
      ],
      generationConfig: { stopSequences: ["END"], thinkingConfig: { thinkingLevel: "MINIMAL" } },
    }),
  );
  expect(prompt).toEqual({
    api: "gemini",
    model: "gemini-3.5-flash",
    system: "be\nbrief",
    turns: [
      { role: "user", texts: ["q"], calls: [], results: [] },
      { role: "assistant", texts: ['{"a":1}'], calls: ["call_s1_a"], results: [] },
      { role: "user", texts: ["found"], calls: [], results: ["call_s1_a"] },
      { role: "assistant", texts: ["{}"], calls: ["call"], results: [] },
      { role: "user", texts: ['{"b":2}'], calls: [], results: ["call"] },
    ],
    tools: [
      { name: "f", schema: { type: "OBJECT" } },
      { name: "g", schema: { type: "object" } },
    ],
    thinks: false,
    stopSequences: ["END"],
  });
});

it("passes on what has to be called and how the answer has to look", () => {
  const choose = (config: object) =>
    promptOf(makeGeminiRequest({ tools: [declare("f")], toolConfig: { functionCallingConfig: config } }));
  expect(choose({ mode: "ANY" }).mustCall).toBe("any");
  expect(choose({ mode: "ANY", allowedFunctionNames: ["f"] }).mustCall).toBe("f");
  expect(choose({ mode: "NONE" }).tools).toEqual([]);
  const shaped = (config: object) =>
    promptOf(makeGeminiRequest({ generationConfig: { responseMimeType: "application/json", ...config } })).outputSchema;
  expect(shaped({})).toEqual({});
  expect(shaped({ responseSchema: { type: "STRING" } })).toEqual({ type: "STRING" });
  expect(shaped({ responseJsonSchema: { type: "string" } })).toEqual({ type: "string" });
});
