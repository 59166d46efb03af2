import { MockLanguageModelV4 } from "ai/test";
import { expect, it } from "vitest";
import { ASK } from "../testing/edits.ts";
import { summarizeWith } from "./summarize-with.ts";

function makeModel(text: string, noCache?: number): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    modelId: "mock",
    doGenerate: {
      content: [
        { type: "reasoning", text: "Hm." },
        { type: "text", text },
      ],
      finishReason: { unified: "stop", raw: "stop" },
      usage: {
        inputTokens: { total: 30, noCache, cacheRead: 10, cacheWrite: undefined },
        outputTokens: { total: 5, text: 5, reasoning: 0 },
      },
      warnings: [],
    },
  });
}

it.each([undefined, 20])("asks the model in one message, and tells what it used (%s)", async (noCache) => {
  const model = makeModel(" They said hello. ", noCache);
  expect(await summarizeWith(model)(ASK)).toEqual({
    kind: "text",
    text: "They said hello.",
    usage: { inputTokens: 20, cacheReadTokens: 10, cacheWriteTokens: 0, outputTokens: 5 },
  });
  expect(model.doGenerateCalls[0]).toMatchObject({ maxOutputTokens: 50, prompt: [{ role: "user" }] });
  expect(JSON.stringify(model.doGenerateCalls[0]?.prompt)).toMatch(/Sum it up\..*Hello/);
});

it("does not take silence for a summary", async () => {
  expect(await summarizeWith(makeModel(" "))(ASK)).toMatchObject({ kind: "failed", why: "mock wrote nothing" });
});
