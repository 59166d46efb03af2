import type { Block } from "@longhaul/conversation";
import { makeRedactedThinking, makeThinking } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import type { Target } from "../codec/target.ts";
import { makeFitting } from "../testing/make-fitting.ts";
import { RULES } from "./rules.ts";

const PLAIN: Block = { type: "thinking", text: "hm" };
const OWN: Block = { ...PLAIN, native: { wire: "openai-chat", value: "hm" } };

function reads(block: Block, target: Partial<Target> = {}, isNative = false): boolean {
  const isThought = block.type === "thinking" || block.type === "redacted-thinking";
  return isThought && RULES.readsThinking(block, makeFitting({ rules: RULES, target, isNative }));
}

describe("the rules of chat completions", () => {
  it("send thinking back only where the server reads it", () => {
    expect(reads(PLAIN)).toBe(false);
    expect(reads(PLAIN, { thinkingField: "reasoning_content" })).toBe(true);
    expect(reads({ ...PLAIN, text: "" }, { thinkingField: "reasoning_content" })).toBe(false);
    expect(reads(makeThinking(), { thinkingField: "reasoning" })).toBe(false);
    expect(reads({ ...makeThinking(), vendor: "openai" }, { thinkingField: "reasoning" })).toBe(true);
    expect(reads(makeRedactedThinking(), { thinkingField: "reasoning" })).toBe(false);
  });

  it("send anybody's details to a server that takes details", () => {
    expect(reads(makeThinking(), { thinkingField: "reasoning_details" })).toBe(true);
    expect(reads(makeRedactedThinking(), { thinkingField: "reasoning_details" })).toBe(true);
    expect(reads(PLAIN, { thinkingField: "reasoning_details" })).toBe(false);
    expect(reads(OWN, { thinkingField: "reasoning_details" })).toBe(true);
  });

  it("send no details without a proof to vendors that demand one", () => {
    expect(reads({ ...PLAIN, vendor: "google" }, { thinkingField: "reasoning_details" })).toBe(false);
    expect(reads({ ...PLAIN, vendor: "deepseek" }, { thinkingField: "reasoning_details" })).toBe(true);
  });

  it("leave a client of this format what it sends itself, unless another vendor signed it", () => {
    expect(reads(OWN, {}, true)).toBe(true);
    expect(reads(OWN, {}, false)).toBe(false);
    expect(reads({ ...OWN, vendor: "anthropic", signature: "s" }, {}, true)).toBe(false);
  });
});
