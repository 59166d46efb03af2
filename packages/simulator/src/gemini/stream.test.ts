import { expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import { eventsOf } from "./stream.ts";

const finished = {
  id: "r",
  model: "m",
  finishReason: "STOP",
  usage: { totalTokenCount: 9 },
  usageAtStart: { totalTokenCount: 5 },
};
const stream = (...parts: JsonObject[]) => eventsOf({ ...finished, parts }, 3).map(({ data = "" }) => JSON.parse(data));
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
