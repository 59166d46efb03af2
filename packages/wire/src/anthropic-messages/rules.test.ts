import type { Block } from "@longhaul/conversation";
import { makeRedactedThinking, makeThinking } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { makeFitting } from "../testing/make-fitting.ts";
import { RULES } from "./rules.ts";

function reads(block: Block, vendor = "anthropic"): boolean {
  const isThought = block.type === "thinking" || block.type === "redacted-thinking";
  return isThought && RULES.readsThinking(block, makeFitting({ rules: RULES, vendor }));
}

describe("Anthropic's rules", () => {
  it("let only signed thinking of the target's own vendor be sent back", () => {
    expect(reads(makeThinking())).toBe(true);
    expect(reads(makeRedactedThinking())).toBe(true);
    expect(reads({ type: "thinking", text: "hm", vendor: "anthropic" })).toBe(false);
    expect(reads({ type: "thinking", text: "hm", signature: "s" })).toBe(false);
    expect(reads({ type: "redacted-thinking", data: "", vendor: "anthropic" })).toBe(false);
    expect(reads(makeThinking(), "moonshot")).toBe(false);
  });
});
