import type { JsonObject } from "@longhaul/conversation";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutBetaFields } from "./beta-fields.ts";

const clearThinking = { type: "clear_thinking_20251015", keep: "all" };
const clearToolUses = { type: "clear_tool_uses_20250919" };
const compact = { type: "compact_20260112" };
const managed = { model: "m", context_management: { edits: [clearThinking, clearToolUses, compact] } };

describe("withoutBetaFields", () => {
  it("takes the edits of one beta and leaves those of the other", () => {
    expect(withoutBetaFields(managed, ["context-management-2025-06-27"])).toEqual({
      model: "m",
      context_management: { edits: [compact] },
    });
    expect(withoutBetaFields(managed, ["compact-2026-01-12"])).toEqual({
      model: "m",
      context_management: { edits: [clearThinking, clearToolUses] },
    });
    const both = ["compact-2026-01-12", "context-management-2025-06-27"];
    expect(withoutBetaFields(managed, both)).toEqual({ model: "m" });
  });

  it.each<[string, JsonObject, JsonObject]>([
    ["compact-2026-09-04", { model: "m", compaction: { type: "summarize" } }, { model: "m" }],
    [
      "thinking-binding-controls-2026-08-01",
      { thinking: { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } } },
      { thinking: { type: "adaptive" } },
    ],
    ["effort-2025-11-24", { model: "m", output_config: { effort: "high" } }, { model: "m" }],
    [
      "effort-2025-11-24",
      { output_config: { effort: "high", format: { type: "json_schema" } } },
      { output_config: { format: { type: "json_schema" } } },
    ],
    [
      "task-budgets-2026-03-13",
      { output_config: { effort: "low", task_budget: {} } },
      { output_config: { effort: "low" } },
    ],
    ["mcp-client-2025-04-04", { model: "m", mcp_servers: [{}] }, { model: "m" }],
    ["skills-2025-10-02", { container: { id: "c", skills: [] } }, { container: { id: "c" } }],
    ["fast-mode-2026-02-01", { model: "m", speed: "fast" }, { model: "m" }],
    ["server-side-fallback-2026-07-01", { model: "m", fallbacks: [] }, { model: "m" }],
    [
      "advanced-tool-use-2025-11-20",
      { tools: [{ name: "a", defer_loading: true, input_examples: [] }, { name: "b" }] },
      { tools: [{ name: "a" }, { name: "b" }] },
    ],
    [
      "prompt-caching-scope-2026-01-05",
      {
        system: [{ type: "text", text: "s", cache_control: { type: "ephemeral", scope: "global" } }],
        messages: [{ role: "user", content: "hi" }],
      },
      {
        system: [{ type: "text", text: "s", cache_control: { type: "ephemeral" } }],
        messages: [{ role: "user", content: "hi" }],
      },
    ],
  ])("takes the fields of %s", (beta, body, expected) => {
    expect(withoutBetaFields(body, [beta])).toEqual(expected);
  });

  it.each(["context-1m-2025-08-07", "interleaved-thinking-2025-05-14", "unheard-of-2099-01-01", "constructor"])(
    "returns the identical body for %s, which has no fields",
    (beta) => {
      expect(withoutBetaFields(managed, [beta])).toBe(managed);
    },
  );

  it("returns the identical body where nothing of the beta is in it, whatever is", () => {
    const betas = ["context-management-2025-06-27", "fast-mode-2026-02-01", "advanced-tool-use-2025-11-20"];
    const value = fc.jsonValue({ maxDepth: 3 });
    const body = fc.record({ model: value, tools: value, messages: value, context_management: value });
    fc.assert(
      fc.property(body, (given) => {
        expect(withoutBetaFields(given as JsonObject, betas)).toBe(given);
      }),
    );
  });
});
