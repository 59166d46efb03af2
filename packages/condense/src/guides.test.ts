import { describe, expect, it } from "vitest";
import { defineStrategy } from "./contract/strategy.ts";
import { defaultPrompts, guideOf } from "./guides.ts";
import { findStrategy, STRATEGIES } from "./registry.ts";

describe("guideOf", () => {
  it("describes every built-in strategy", () => {
    for (const strategy of STRATEGIES) {
      const { description, loses, chooseFor } = guideOf(strategy);
      expect([strategy.id, [description, loses, chooseFor].includes("")]).toEqual([strategy.id, false]);
    }
  });

  it("prefers the strategy's own guide, and knows nothing of one without", () => {
    const definition = { id: "own", description: "Its own.", passes: () => [] };
    expect(guideOf(defineStrategy(definition))).toEqual({ description: "Its own.", loses: "unknown", chooseFor: "" });
    const guide = { loses: "all", chooseFor: "tests" };
    expect(guideOf(defineStrategy({ ...definition, guide }))).toEqual({ description: "Its own.", ...guide });
  });
});

describe("defaultPrompts", () => {
  it("returns each prompt once, with the strategies that use it and those whose setting replaces it", () => {
    expect(defaultPrompts().map(({ id, use, strategies }) => ({ id, use, strategies }))).toEqual([
      {
        id: "summary",
        use: "One summary of the older part: native, smart, tree-summary.",
        strategies: ["native", "smart", "tree-summary"],
      },
      { id: "sandwich", use: "The middle of a conversation: sandwich.", strategies: ["sandwich"] },
      { id: "content", use: "One text, such as a tool result: smart.", strategies: [] },
      { id: "merge", use: "Joins adjacent summaries into one: tree-summary.", strategies: [] },
    ]);
  });

  it("lists a strategy's own prompt before a shared one", () => {
    const own = { id: "own", use: "All of it", text: "Tell." };
    const native = findStrategy("native");
    const added = {
      ...native,
      id: "added",
      guide: { ...guideOf(native), prompts: [own, ...(guideOf(native).prompts ?? [])] },
    };
    expect(defaultPrompts([added, native]).map(({ id, strategies }) => [id, strategies])).toEqual([
      ["own", ["added"]],
      ["summary", ["native"]],
    ]);
  });
});
