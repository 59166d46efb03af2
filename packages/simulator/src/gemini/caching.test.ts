import { expect, it } from "vitest";
import { makeWorld } from "../core/make-world.ts";
import { geminiModel, makeGeminiRequest } from "../testing/make-gemini-request.ts";
import { billedOf, billPrompt } from "./caching.ts";
import { piecesOf } from "./pieces.ts";
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

it("reads a prefix that was seen before, in steps, and charges nothing for writing", () => {
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

it("needs more tokens on the larger models, and does not happen before Gemini 2.5", () => {
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

it("bills what tools of Google's add", () => {
  const { bill } = open();
  const used = bill({ tools: [{ googleSearch: {} }, { codeExecution: {} }] });
  expect(used.toolUse).toBe(128);
  expect(billedOf(used, 0).inputTokens).toBe(used.total + 128);
});
