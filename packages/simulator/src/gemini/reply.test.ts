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
const parts = (output: Output, body: object = {}, model = "gemini-3.5-flash") =>
  partsOf(output, makeGeminiRequest({ ...body }, { model: geminiModel(model) }), { world, seed: "s" });
const sign = (part: object, model = "gemini-3.5-flash") =>
  signThought(world, { model: geminiModel(model), part: { ...part }, seed: "s" });
const tools = { tools: [{ functionDeclarations: [{ name: "f" }] }] };

it("signs text if there are no calls, else the first call", () => {
  expect(parts(output)).toEqual([{ text: "hi", thoughtSignature: sign({ text: "hi" }) }]);
  const first = { functionCall: { id: "call_s1_a", name: "f", args: { a: 1 } } };
  expect(parts({ ...output, calls })).toEqual([
    { text: "hi" },
    { ...first, thoughtSignature: sign(first) },
    { functionCall: { id: "call_s1_b", name: "g", args: {} } },
  ]);
});

it("signs only thinking with functions before Gemini 3, without ids", () => {
  expect(parts(output, {}, "gemini-2.5-flash")).toEqual([{ text: "hi" }]);
  const call = { functionCall: { name: "f", args: { a: 1 } } };
  expect(parts({ ...output, text: "", calls: calls.slice(0, 1) }, tools, "gemini-2.5-flash")).toEqual([
    { ...call, thoughtSignature: sign(call, "gemini-2.5-flash") },
  ]);
});

it("shows thoughts if requested", () => {
  const body = { generationConfig: { thinkingConfig: { includeThoughts: true } } };
  expect(parts({ ...output, thinking }, body)[0]).toEqual({ text: "hm", thought: true });
  expect(parts({ ...output, thinking })).toHaveLength(1);
  expect(parts({ ...output, thinking: { ...thinking, isRedacted: true } }, body)).toHaveLength(1);
});

it("returns no content for a refusal, and no parts for an empty answer", () => {
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

it("builds a response", () => {
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

  it("splits thoughts and text into deltas", () => {
    expect(partsIn(stream({ text: "hmmm", thought: true }, { text: "hello" }))).toEqual([
      [{ text: "hmm", thought: true }],
      [{ text: "m", thought: true }],
      [{ text: "hel" }],
      [{ text: "lo" }],
      [{ text: "" }],
    ]);
  });

  it("sends the signature of a text with an empty one at the end", () => {
    expect(partsIn(stream({ text: "abc", thoughtSignature: "S" }))).toEqual([
      [{ text: "abc" }],
      [{ text: "", thoughtSignature: "S" }],
    ]);
  });

  it("sends calls complete, each with its signature", () => {
    const call = { functionCall: { name: "f", args: {} }, thoughtSignature: "S" };
    expect(partsIn(stream(call, { functionCall: { name: "g", args: {} } }))).toEqual([
      [call],
      [{ functionCall: { name: "g", args: {} } }],
      [{ text: "" }],
    ]);
  });

  it("sends finish reason and usage at the end", () => {
    const chunks = stream({ text: "abc" });
    expect(chunks.map(({ candidates }) => candidates[0].finishReason)).toEqual([undefined, "STOP"]);
    expect(chunks.map(({ usageMetadata }) => usageMetadata.totalTokenCount)).toEqual([5, 9]);
    expect(chunks.every(({ responseId, modelVersion }) => responseId === "r" && modelVersion === "m")).toBe(true);
  });

  it("sends one event for an empty answer", () => {
    expect(stream()).toHaveLength(1);
    expect(partsIn(stream())).toEqual([undefined]);
  });
});
