import { expect, it } from "vitest";
import type { Output } from "../core/limit.ts";
import { makeWorld } from "../core/make-world.ts";
import { geminiModel, makeGeminiRequest } from "../testing/make-gemini-request.ts";
import { candidateOf, finishReason, partsOf, responseOf } from "./reply.ts";
import { signThought } from "./signatures.ts";

const world = makeWorld({});
const output: Output = { text: "hi", calls: [], stop: "end", tokens: 9 };
const thinking = { text: "hm", isRedacted: false, tokens: 4 };
const calls = [
  { id: "s1_a", name: "f", input: { a: 1 } },
  { id: "s1_b", name: "g", input: {} },
];
const parts = (said: Output, body: object = {}, model = "gemini-3.5-flash") =>
  partsOf(said, makeGeminiRequest({ ...body }, { model: geminiModel(model) }), { world, seed: "s" });
const sign = (part: object, model = "gemini-3.5-flash") =>
  signThought(world, { model: geminiModel(model), part: { ...part }, seed: "s" });
const tools = { tools: [{ functionDeclarations: [{ name: "f" }] }] };

it("signs text where there are no calls, and the first call where there are some", () => {
  expect(parts(output)).toEqual([{ text: "hi", thoughtSignature: sign({ text: "hi" }) }]);
  const first = { functionCall: { id: "call_s1_a", name: "f", args: { a: 1 } } };
  expect(parts({ ...output, calls })).toEqual([
    { text: "hi" },
    { ...first, thoughtSignature: sign(first) },
    { functionCall: { id: "call_s1_b", name: "g", args: {} } },
  ]);
});

it("signs before Gemini 3 only what was thought with functions at hand, and gives no ids", () => {
  expect(parts(output, {}, "gemini-2.5-flash")).toEqual([{ text: "hi" }]);
  const call = { functionCall: { name: "f", args: { a: 1 } } };
  expect(parts({ ...output, text: "", calls: calls.slice(0, 1) }, tools, "gemini-2.5-flash")).toEqual([
    { ...call, thoughtSignature: sign(call, "gemini-2.5-flash") },
  ]);
});

it("shows thoughts where they are wanted", () => {
  const wanted = { generationConfig: { thinkingConfig: { includeThoughts: true } } };
  expect(parts({ ...output, thinking }, wanted)[0]).toEqual({ text: "hm", thought: true });
  expect(parts({ ...output, thinking })).toHaveLength(1);
  expect(parts({ ...output, thinking: { ...thinking, isRedacted: true } }, wanted)).toHaveLength(1);
});

it("blocks a refusal without content, and leaves silence without parts", () => {
  expect(parts({ ...output, stop: "refusal" })).toEqual([]);
  expect(candidateOf([], "SAFETY")).toEqual({
    finishReason: "SAFETY",
    index: 0,
    safetyRatings: [{ category: "HARM_CATEGORY_DANGEROUS_CONTENT", probability: "HIGH", blocked: true }],
  });
  expect(parts({ ...output, text: "" })).toEqual([]);
  expect(candidateOf([], "STOP")).toEqual({ content: { role: "model" }, finishReason: "STOP", index: 0 });
});

it.each([
  ["end", "STOP"],
  ["calls", "STOP"],
  ["sequence", "STOP"],
  ["length", "MAX_TOKENS"],
  ["window", "MAX_TOKENS"],
  ["refusal", "SAFETY"],
] as const)("calls the end by %s %s", (stop, reason) => {
  expect(finishReason({ ...output, stop })).toBe(reason);
});

it("puts a response together", () => {
  const finished = {
    id: "r",
    model: "m",
    parts: [{ text: "hi" }],
    finishReason: "STOP",
    usage: { totalTokenCount: 2 },
    usageAtStart: {},
  };
  expect(responseOf(finished)).toEqual({
    candidates: [{ content: { parts: [{ text: "hi" }], role: "model" }, finishReason: "STOP", index: 0 }],
    usageMetadata: { totalTokenCount: 2 },
    modelVersion: "m",
    responseId: "r",
  });
  expect(responseOf({ ...finished, createTime: "t" })).toMatchObject({ createTime: "t" });
});
