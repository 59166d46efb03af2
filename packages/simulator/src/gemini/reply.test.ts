import { describe, expect, it } from "vitest";
import type { Output } from "../core/compose.ts";
import type { JsonObject } from "../core/json.ts";
import { makeWorld } from "../core/world.ts";
import { geminiModel, makeGeminiRequest } from "../testing/make.ts";
import { candidateOf, eventsOf, finishReason, partsOf, responseOf } from "./reply.ts";
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

describe("stream", () => {
  const finished = {
    id: "r",
    model: "m",
    finishReason: "STOP",
    usage: { totalTokenCount: 9 },
    usageAtStart: { totalTokenCount: 5 },
  };
  const stream = (...parts: JsonObject[]) =>
    eventsOf({ ...finished, parts }, 3).map(({ data = "" }) => JSON.parse(data));
  const partsIn = (chunks: readonly { candidates: { content: { parts?: JsonObject[] } }[] }[]) =>
    chunks.map(({ candidates }) => candidates[0]?.content.parts);

  it("cuts thoughts and text into pieces", () => {
    expect(partsIn(stream({ text: "hmmm", thought: true }, { text: "hello" }))).toEqual([
      [{ text: "hmm", thought: true }],
      [{ text: "m", thought: true }],
      [{ text: "hel" }],
      [{ text: "lo" }],
      [{ text: "" }],
    ]);
  });

  it("brings the signature of a text with an empty one at the end", () => {
    expect(partsIn(stream({ text: "abc", thoughtSignature: "S" }))).toEqual([
      [{ text: "abc" }],
      [{ text: "", thoughtSignature: "S" }],
    ]);
  });

  it("sends calls whole, each with its signature", () => {
    const call = { functionCall: { name: "f", args: {} }, thoughtSignature: "S" };
    expect(partsIn(stream(call, { functionCall: { name: "g", args: {} } }))).toEqual([
      [call],
      [{ functionCall: { name: "g", args: {} } }],
      [{ text: "" }],
    ]);
  });

  it("tells reason and usage at the end", () => {
    const chunks = stream({ text: "abc" });
    expect(chunks.map(({ candidates }) => candidates[0].finishReason)).toEqual([undefined, "STOP"]);
    expect(chunks.map(({ usageMetadata }) => usageMetadata.totalTokenCount)).toEqual([5, 9]);
    expect(chunks.every(({ responseId, modelVersion }) => responseId === "r" && modelVersion === "m")).toBe(true);
  });

  it("has one piece where nothing is said", () => {
    expect(stream()).toHaveLength(1);
    expect(partsIn(stream())).toEqual([undefined]);
  });
});
