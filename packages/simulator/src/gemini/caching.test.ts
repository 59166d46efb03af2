import { describe, expect, it } from "vitest";
import type { Output } from "../core/compose.ts";
import { makeWorld } from "../core/world.ts";
import { geminiModel, makeGeminiRequest } from "../testing/make.ts";
import { billedOf, billPrompt, type GeminiPiece, piecesOf, usageAtStart, usageOf } from "./caching.ts";
import type { GeminiRequest } from "./request.ts";

const say = (words: number, last = "end") => ({
  contents: [{ role: "user", parts: [{ text: "word ".repeat(words) }, { text: last }] }],
});

function open() {
  let nowMs = 0;
  const world = makeWorld({ now: () => nowMs });
  const bill = (body: object, parts: Partial<GeminiRequest> = {}) => {
    const request = makeGeminiRequest({ ...body }, parts);
    return billPrompt(piecesOf(request.body, world), request, world);
  };
  return { bill, wait: (ms: number) => (nowMs += ms) };
}

it("reads a cached prefix in steps, and charges nothing for writing", () => {
  const { bill } = open();
  const first = bill(say(3_000));
  const second = bill(say(3_000, "another end"));
  expect(first.read).toBe(0);
  expect(second.read).toBeGreaterThan(3_000);
  expect(second.read % 128).toBe(0);
  expect(billedOf(second, 7)).toEqual({
    inputTokens: second.total - second.read,
    cacheReadTokens: second.read,
    cacheWriteTokens: 0,
    cacheWriteHourTokens: 0,
    outputTokens: 7,
  });
});

it("keeps it for five minutes, for one key and one model", () => {
  const { bill, wait } = open();
  bill(say(3_000));
  expect(bill(say(3_000), { credential: "other" }).read).toBe(0);
  expect(bill(say(3_000), { model: geminiModel("gemini-3.6-flash") }).read).toBe(0);
  wait(299_999);
  expect(bill(say(3_000)).read).toBeGreaterThan(0);
  wait(300_000);
  expect(bill(say(3_000)).read).toBe(0);
});

it("needs more tokens on larger models, and Gemini 2.5 or later", () => {
  const { bill } = open();
  const read = (id: string, words: number) => {
    const model = geminiModel(id);
    bill(say(words), { model });
    return bill(say(words), { model }).read;
  };
  expect(read("gemini-2.5-flash", 2_000)).toBeGreaterThan(0);
  expect(read("gemini-2.5-pro", 2_000)).toBe(0);
  expect(read("gemini-2.5-pro", 5_000)).toBeGreaterThan(0);
  expect(read("gemini-2.0-flash", 5_000)).toBe(0);
});

it("bills the tokens of Google's tools", () => {
  const { bill } = open();
  const used = bill({ tools: [{ googleSearch: {} }, { codeExecution: {} }] });
  expect(used.toolUse).toBe(128);
  expect(billedOf(used, 0).inputTokens).toBe(used.total + 128);
});

describe("pieces", () => {
  const world = makeWorld({ skew: 1 });
  const pieces = (body: object) => piecesOf({ ...body }, world);
  const content = (...parts: object[]) => ({ contents: [{ role: "user", parts }] });

  it("orders system, tools and contents", () => {
    const body = {
      ...content({ text: "hello" }),
      systemInstruction: { parts: [{ text: "be brief" }] },
      tools: [{ functionDeclarations: [{ name: "f" }] }],
    };
    expect(pieces(body).map(({ text }) => text)).toEqual([
      "be brief",
      "",
      '{"functionDeclarations":[{"name":"f"}]}',
      "\nuser:",
      "hello",
    ]);
  });

  it("counts media by kind", () => {
    const part = (mimeType: string) => ({ inlineData: { mimeType, data: "AA==" } });
    const media = pieces(
      content(part("image/png"), part("application/pdf"), part("audio/wav"), part("video/mp4"), part("text/plain")),
    ).slice(1);
    expect(media.map(({ modality, tokens }) => [modality, tokens])).toEqual([
      ["IMAGE", 258],
      ["DOCUMENT", 1_000],
      ["AUDIO", 1_000],
      ["VIDEO", 1_000],
      ["TEXT", 1_000],
    ]);
  });

  it("reads calls and results with their content", () => {
    const call = { functionCall: { id: "i", name: "f", args: { a: 1 } } };
    const response = {
      id: "i",
      name: "f",
      response: { output: "x" },
      parts: [{ fileData: { mimeType: "image/png" } }],
    };
    const read = pieces(content(call, { functionResponse: response }, { executableCode: { code: "1" } })).slice(1);
    expect(read.map(({ text, modality }) => [text, modality])).toEqual([
      ["i", "TEXT"],
      ['f{"a":1}', "TEXT"],
      ["i", "TEXT"],
      ['f{"output":"x"}', "TEXT"],
      ['{"mimeType":"image/png"}', "IMAGE"],
      ['{"executableCode":{"code":"1"}}', "TEXT"],
    ]);
  });
});

describe("usage", () => {
  const text: GeminiPiece = { text: "a", tokens: 41.2, isText: true, modality: "TEXT" };
  const image: GeminiPiece = { text: "b", tokens: 258, isText: false, modality: "IMAGE" };
  const bill = { total: 558, read: 0, toolUse: 0, pieces: [text, image, image] };
  const output: Output = { text: "x", calls: [], stop: "end", tokens: 10 };
  const prompt = [
    { modality: "TEXT", tokenCount: 42 },
    { modality: "IMAGE", tokenCount: 516 },
  ];

  it("reports the prompt by modality, without zeros", () => {
    expect(usageOf(bill, output, makeGeminiRequest())).toEqual({
      promptTokenCount: 558,
      candidatesTokenCount: 10,
      totalTokenCount: 568,
      promptTokensDetails: prompt,
    });
  });

  it("reports thoughts separately, cached tokens within the prompt, and tools on top", () => {
    const thinking = { text: "t", isRedacted: false, tokens: 804 };
    const usage = usageOf(
      { ...bill, read: 128, toolUse: 64 },
      { ...output, thinking, tokens: 819 },
      makeGeminiRequest(),
    );
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

  it("omits candidate tokens for an answer that is only thoughts", () => {
    const thinking = { text: "t", isRedacted: false, tokens: 10 };
    expect(usageOf(bill, { ...output, thinking }, makeGeminiRequest())).not.toHaveProperty("candidatesTokenCount");
  });

  it("names the traffic type on Vertex", () => {
    expect(usageOf(bill, output, makeGeminiRequest({}, { api: "vertex-gemini" }))).toMatchObject({
      trafficType: "ON_DEMAND",
    });
  });

  it("starts a stream with only the prompt's size", () => {
    expect(usageAtStart(bill)).toEqual({
      promptTokenCount: 558,
      totalTokenCount: 558,
      promptTokensDetails: prompt,
    });
  });
});
