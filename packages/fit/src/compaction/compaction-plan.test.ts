import type { WireId } from "@longhaul/conversation";
import { findModel, loadCatalog } from "@longhaul/models";
import { describe, expect, it } from "vitest";
import { COMPACTION_INSTRUCTIONS, type CompactionOptions, compactionPlan } from "./compaction-plan.ts";

const catalog = loadCatalog({});
const BETA = "compact-2026-01-12";

function makeDestination(wire: WireId = "anthropic-messages", blockedBetas: readonly string[] = []) {
  return { wire, handle: { connection: { upstream: { blockedBetas } } } };
}

function plan(fields: Partial<CompactionOptions> = {}, name = "claude-opus-4-6", platform = "anthropic") {
  return compactionPlan({
    model: findModel(catalog, name, platform).model,
    destination: makeDestination(),
    settings: { enabled: true, onDemand: false, triggerTokens: 150_000 },
    windowTokens: 200_000,
    clientEdits: [],
    ...fields,
  });
}

const compact = (value: number) => ({
  type: "compact_20260112",
  trigger: { type: "input_tokens", value },
  instructions: COMPACTION_INSTRUCTIONS,
});
const thinking = { type: "clear_thinking_20251015", keep: "all" };
const toolUses = { type: "clear_tool_uses_20250919" };

describe("compactionPlan", () => {
  it("adds the edit with trigger and instructions and its beta, but no pause", () => {
    expect(plan()).toEqual({ kind: "edit", edits: [compact(150_000)], betas: [BETA], triggerTokens: 150_000 });
  });

  it("sorts the client's edits in the order of the API", () => {
    const unknown = { type: "clear_something_20990101" };
    expect(plan({ clientEdits: [unknown, toolUses, thinking] })).toMatchObject({
      edits: [thinking, toolUses, unknown, compact(150_000)],
    });
  });

  it("leaves a client's own compaction unchanged and adds its beta", () => {
    const own = { type: "compact_20260112", pause_after_compaction: true };
    expect(plan({ clientEdits: [own, thinking] })).toEqual({ kind: "client", betas: [BETA] });
    const settings = { enabled: true, onDemand: true, triggerTokens: 150_000 };
    expect(plan({ settings, clientEdits: [own, thinking] })).toEqual({ kind: "client", betas: [BETA] });
    expect(plan({ settings })).toEqual({ kind: "none", reason: "on-demand" });
  });

  it.each([
    [1_000_000, 150_000, 150_000],
    [1_000_000, 800_000, 750_000],
    [200_000, 150_000, 150_000],
    [190_000, 150_000, 142_500],
    [128_000, 150_000, 96_000],
    [66_667, 150_000, 50_000],
    [200_000, 50_000, 50_000],
  ])("with a window of %i and a trigger of %i compacts at %i", (windowTokens, triggerTokens, expected) => {
    const settings = { enabled: true, onDemand: false, triggerTokens };
    expect(plan({ windowTokens, settings })).toMatchObject({ kind: "edit", triggerTokens: expected });
  });

  it.each([66_666, 32_000])("leaves a window of %i to our own strategies", (windowTokens) => {
    expect(plan({ windowTokens })).toEqual({ kind: "none", reason: "small-window" });
  });

  it("plans no compaction if it is disabled, whatever the client sends", () => {
    const settings = { enabled: false, onDemand: false, triggerTokens: 150_000 };
    expect(plan({ settings })).toEqual({ kind: "none", reason: "disabled" });
    expect(plan({ settings, clientEdits: [compact(60_000)] })).toEqual({ kind: "none", reason: "disabled" });
  });

  it("plans none for other formats and for credentials without the beta", () => {
    expect(plan({ destination: makeDestination("openai-chat") })).toEqual({ kind: "none", reason: "other-format" });
    expect(plan({ destination: makeDestination("anthropic-messages", [BETA]) })).toEqual({
      kind: "none",
      reason: "blocked-beta",
    });
  });
});

describe("the models in the current catalog", () => {
  it.each([
    "claude-opus-4-6",
    "claude-opus-4.6",
    "Claude-Opus-4-6",
    "claude-4.6-opus",
    "claude-4.6-opus-high",
    "claude-4.6-opus-max-thinking",
    "claude-4-6-opus-high-thinking",
    "claude-opus-4-6-20260205",
    "claude-opus-4-6@20260205",
    "claude-opus-4-6[1m]",
    "claude-opus-4-6:high",
    "anthropic/claude-opus-4.6",
    "us.anthropic.claude-opus-4-6-v1:0",
    "claude-opus-4-7",
    "claude-opus-4-8",
    "claude-opus-5",
    "claude-sonnet-4-6",
    "claude-4.6-sonnet-medium-thinking",
    "claude-sonnet-5",
    "claude-fable-5",
    "claude-mythos-5",
    "claude-mythos-preview",
  ])("%s compacts at a threshold", (name) => {
    expect(plan({}, name)).toMatchObject({ kind: "edit", betas: [BETA] });
  });

  it.each([
    "claude-opus-4-5",
    "claude-opus-4-5-20251101",
    "claude-4.5-opus",
    "claude-4.5-opus-high",
    "claude-4.5-opus-high-thinking",
    "anthropic/claude-opus-4.5",
    "claude-sonnet-4-5",
    "claude-4.5-sonnet",
    "claude-4.5-sonnet-thinking",
    "claude-haiku-4-5",
    "claude-4.5-haiku",
    "claude-haiku-4-5-20251001",
    "claude-opus-4-1",
    "claude-sonnet-4",
    "claude-3-7-sonnet",
    // These compact on demand.
    "claude-opus-5-5",
    "claude-sonnet-5-5",
    "claude-haiku-5-5",
    "claude-fable-5-1",
    "claude-mythos-5-1",
    "gpt-5.2",
    "gpt-4o",
    "gemini-2.5-pro",
    "a-model-that-nobody-knows",
  ])("%s does not", (name) => {
    expect(plan({}, name)).toEqual({ kind: "none", reason: "unsupported-model" });
  });

  it("applies on Bedrock and Vertex, but not behind OpenRouter", () => {
    expect(plan({}, "us.anthropic.claude-opus-4-6-v1", "bedrock")).toMatchObject({ kind: "edit", betas: [BETA] });
    expect(plan({}, "claude-opus-4-6", "vertex")).toMatchObject({ kind: "edit", betas: [BETA] });
    expect(plan({}, "anthropic/claude-opus-4.6", "openrouter")).toEqual({ kind: "none", reason: "unsupported-model" });
  });
});

it("asks for the user's latest message word for word before anything else", () => {
  expect(COMPACTION_INSTRUCTIONS).toMatch(/^Write a summary of .*\n\n1\. .*user's latest message word for word/);
});

it("keeps the tags of the API's own instructions", () => {
  expect(COMPACTION_INSTRUCTIONS).toContain("<summary></summary>");
});
