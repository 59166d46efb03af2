import { findModel, loadCatalog } from "@longhaul/models";
import { codecNamed } from "@longhaul/wire";
import { describe, expect, it } from "vitest";
import { checkOwnReasoning } from "./own-reasoning.ts";

const { model } = findModel(loadCatalog(), "o4-mini");

function check(wire: string, body: object): void {
  const empty = { model: "o4-mini", messages: [], contents: [], input: [] };
  checkOwnReasoning(codecNamed(wire).decodeRequest({ ...empty, ...body }, { model: "o4-mini" }), model);
}

describe("checkOwnReasoning", () => {
  it.each([
    ["anthropic-messages", { thinking: { type: "sometimes" } }, 'thinking.type: "sometimes"'],
    ["anthropic-messages", { thinking: { type: "enabled", budget_tokens: "4k" } }, 'thinking.budget_tokens: "4k"'],
    ["anthropic-messages", { thinking: { type: "enabled" } }, 'thinking: {"type":"enabled"}'],
    ["anthropic-messages", { thinking: "high" }, 'thinking: "high"'],
    [
      "anthropic-messages",
      { thinking: { type: "adaptive" }, output_config: { effort: "ultra" } },
      'output_config.effort: "ultra"',
    ],
    ["openai-chat", { reasoning_effort: "ultra" }, 'reasoning_effort: "ultra"'],
    ["openai-chat", { reasoning: { effort: "ultra", max_tokens: 9 } }, 'reasoning.effort: "ultra"'],
    ["openai-chat", { reasoning: { max_tokens: "4k" } }, 'reasoning.max_tokens: "4k"'],
    ["openai-chat", { reasoning_effort: "High" }, 'reasoning_effort: "High"'],
    ["openai-chat", { reasoning: true }, "reasoning: true"],
    ["openai-responses", { reasoning: "high" }, 'reasoning: "high"'],
    [
      "gemini",
      { generationConfig: { thinkingConfig: { thinkingBudget: "4k" } } },
      'generationConfig.thinkingConfig.thinkingBudget: "4k"',
    ],
    [
      "gemini",
      { generationConfig: { thinkingConfig: { thinkingBudget: -5 } } },
      "generationConfig.thinkingConfig.thinkingBudget: -5",
    ],
    ["gemini", { generationConfig: { thinkingConfig: "on" } }, 'generationConfig.thinkingConfig: "on"'],
    ["openai-responses", { reasoning: { effort: "ultra" } }, 'reasoning.effort: "ultra"'],
    [
      "gemini",
      { generationConfig: { thinkingConfig: { thinkingLevel: "ULTRA" } } },
      'generationConfig.thinkingConfig.thinkingLevel: "ULTRA"',
    ],
  ])("refuses words of %s that nobody knows: %j", (wire, body, words) => {
    expect(() => check(wire, body)).toThrow(
      `${words} says nothing about thinking that the model "o4-mini" understands; it takes one of low, medium, high; a number becomes a level`,
    );
  });

  it.each([
    ["anthropic-messages", { thinking: { type: "enabled", budget_tokens: 4_096 }, output_config: { effort: "max" } }],
    ["anthropic-messages", { thinking: { type: "adaptive", block_binding: "x" } }],
    ["openai-chat", { reasoning_effort: "xhigh" }],
    ["openai-responses", { reasoning: { effort: "none", summary: "auto" } }],
    ["gemini", { generationConfig: { thinkingConfig: { thinkingBudget: -1 } } }],
    ["openai-chat", {}],
    ["openai-chat", { reasoning_effort: null, reasoning: null }],
    ["anthropic-messages", { thinking: null }],
  ])("lets words of %s pass that somebody knows: %j", (wire, body) => {
    expect(() => check(wire, body)).not.toThrow();
  });

  it("shows no more of a value than helps", () => {
    expect(() => check("openai-chat", { reasoning_effort: "x".repeat(1_000) })).toThrow(/"x{99} says nothing/);
  });
});
