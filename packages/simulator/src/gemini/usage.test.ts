import { expect, it } from "vitest";
import type { Output } from "../core/limit.ts";
import { makeGeminiRequest } from "../testing/make-gemini-request.ts";
import type { GeminiPiece } from "./pieces.ts";
import { usageAtStart, usageOf } from "./usage.ts";

const text: GeminiPiece = { text: "a", tokens: 41.2, isText: true, modality: "TEXT" };
const image: GeminiPiece = { text: "b", tokens: 258, isText: false, modality: "IMAGE" };
const bill = { total: 558, read: 0, toolUse: 0, pieces: [text, image, image] };
const output: Output = { text: "x", calls: [], stop: "end", tokens: 10 };
const prompt = [
  { modality: "TEXT", tokenCount: 42 },
  { modality: "IMAGE", tokenCount: 516 },
];

it("reports the prompt by kinds, and leaves out what is zero", () => {
  expect(usageOf(bill, output, makeGeminiRequest())).toEqual({
    promptTokenCount: 558,
    candidatesTokenCount: 10,
    totalTokenCount: 568,
    promptTokensDetails: prompt,
  });
});

it("has thoughts apart from the answer, cached tokens in the prompt, and tools on top", () => {
  const thinking = { text: "t", isRedacted: false, tokens: 804 };
  const usage = usageOf({ ...bill, read: 128, toolUse: 64 }, { ...output, thinking, tokens: 819 }, makeGeminiRequest());
  expect(usage).toEqual({
    promptTokenCount: 558,
    candidatesTokenCount: 15,
    totalTokenCount: 558 + 64 + 819,
    cachedContentTokenCount: 128,
    cacheTokensDetails: [{ modality: "TEXT", tokenCount: 128 }],
    promptTokensDetails: prompt,
    toolUsePromptTokenCount: 64,
    toolUsePromptTokensDetails: [{ modality: "TEXT", tokenCount: 64 }],
    thoughtsTokenCount: 804,
  });
});

it("says nothing of an answer that was all thought", () => {
  const thinking = { text: "t", isRedacted: false, tokens: 10 };
  expect(usageOf(bill, { ...output, thinking }, makeGeminiRequest())).not.toHaveProperty("candidatesTokenCount");
});

it("names the traffic on Vertex", () => {
  expect(usageOf(bill, output, makeGeminiRequest({}, { api: "vertex-gemini" }))).toMatchObject({
    trafficType: "ON_DEMAND",
  });
});

it("begins a stream with the prompt alone", () => {
  expect(usageAtStart(bill)).toEqual({
    promptTokenCount: 558,
    totalTokenCount: 558,
    promptTokensDetails: prompt,
  });
});
