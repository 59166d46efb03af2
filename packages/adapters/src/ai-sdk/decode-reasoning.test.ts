import { expect, it } from "vitest";
import { decodeReasoning } from "./decode-reasoning.ts";

it.each([
  [{}, { type: "thinking", text: "Hm." }],
  [{ anthropic: { signature: "s" } }, { type: "thinking", text: "Hm.", signature: "s" }],
  [{ openai: { itemId: "rs_1", reasoningEncryptedContent: "e" } }, { type: "thinking", text: "Hm.", signature: "e" }],
  [{ openai: { itemId: "rs_1" } }, { type: "thinking", text: "Hm." }],
  [{ anthropic: { redactedData: "r" } }, { type: "redacted-thinking", data: "r" }],
])("reads reasoning with the options %j", (providerOptions, block) => {
  expect(decodeReasoning({ type: "reasoning", text: "Hm.", providerOptions })).toEqual(block);
});
