import type { Block, JsonObject } from "@longhaul/conversation";
import {
  makeAssistant,
  makeConversation,
  makeRedactedThinking,
  makeText,
  makeThinking,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { makeContext, makeRequestOf } from "../testing/make-context.ts";
import { adaptThinking, RULES } from "./rules.ts";

function reads(block: Block, vendor = "anthropic"): boolean {
  const isThought = block.type === "thinking" || block.type === "redacted-thinking";
  return isThought && RULES.acceptsThinking(block, makeContext({ rules: RULES, vendor }));
}

describe("Anthropic's rules", () => {
  it("accept only thinking signed by the destination's vendor", () => {
    expect(reads(makeThinking())).toBe(true);
    expect(reads(makeRedactedThinking())).toBe(true);
    expect(reads({ type: "thinking", text: "hm", vendor: "anthropic" })).toBe(false);
    expect(reads({ type: "thinking", text: "hm", signature: "s" })).toBe(false);
    expect(reads({ type: "redacted-thinking", data: "", vendor: "anthropic" })).toBe(false);
    expect(reads(makeThinking(), "moonshot")).toBe(false);
  });
});

const BUDGET = { mode: "budget" as const, budgetTokens: 2_000 };

describe("adaptThinking", () => {
  it("drops thinking for a forced tool call", () => {
    const context = makeContext();
    const request = makeRequestOf(undefined, { reasoning: { mode: "adaptive" }, toolChoice: { kind: "required" } });
    expect(adaptThinking(request, context)).not.toHaveProperty("reasoning");
    expect(context.warnings()).toMatchObject([{ feature: "reasoning", action: "dropped" }]);
  });

  it("drops a budget in a tool loop that started without thinking, and only there", () => {
    const loop = (first: readonly ReturnType<typeof makeThinking>[]) =>
      makeRequestOf(
        makeConversation([
          makeUser("Go."),
          makeAssistant([...first, makeToolCall("a")]),
          makeUser(makeToolResult("a")),
        ]),
        { reasoning: BUDGET },
      );
    expect(adaptThinking(loop([]), makeContext())).not.toHaveProperty("reasoning");
    expect(adaptThinking(loop([makeThinking()]), makeContext()).reasoning).toEqual(BUDGET);
    const adaptive = { ...loop([]), reasoning: { mode: "adaptive" as const } };
    expect(adaptThinking(adaptive, makeContext())).toBe(adaptive);
    const over = makeRequestOf(
      makeConversation([
        makeAssistant([makeText("x"), makeToolCall("a")]),
        makeUser(makeToolResult("a")),
        makeUser("Next."),
      ]),
      { reasoning: BUDGET },
    );
    expect(adaptThinking(over, makeContext())).toBe(over);
  });

  it("looks for a loop's first thinking after a compaction block", () => {
    const summary: Block = { type: "compaction", text: "x", vendor: "anthropic" };
    const loop = (blocks: readonly Block[]) =>
      makeRequestOf(makeConversation([makeAssistant([summary, ...blocks]), makeUser(makeToolResult("a"))]), {
        reasoning: BUDGET,
      });
    expect(adaptThinking(loop([makeThinking(), makeToolCall("a")]), makeContext()).reasoning).toEqual(BUDGET);
    expect(adaptThinking(loop([makeToolCall("a")]), makeContext())).not.toHaveProperty("reasoning");
  });

  it("drops sampling that cannot be combined with thinking", () => {
    const context = makeContext();
    const sampling = { temperature: 0.2, topP: 0.9, topK: 5, stopSequences: ["x"] };
    const request = makeRequestOf(undefined, { reasoning: BUDGET, sampling });
    expect(adaptThinking(request, context).sampling).toEqual({ stopSequences: ["x"] });
    expect(context.warnings().map(({ feature }) => feature)).toEqual([
      "sampling.temperature",
      "sampling.topP",
      "sampling.topK",
    ]);
  });

  it("drops the temperature with thinking, but not with a native client's effort", () => {
    const context = makeContext();
    const request = makeRequestOf(undefined, { reasoning: BUDGET, sampling: { temperature: 0.2, topP: 0.95 } });
    expect(adaptThinking(request, context).sampling).toEqual({ topP: 0.95 });
    const effort = makeRequestOf(undefined, {
      reasoning: { mode: "effort", effort: "high" },
      sampling: { temperature: 0.2 },
    });
    expect(adaptThinking(effort, makeContext({ isNative: true }))).toBe(effort);
    expect(adaptThinking(effort, makeContext()).sampling).toEqual({});
    const one = makeRequestOf(undefined, { reasoning: BUDGET, sampling: { temperature: 1 } });
    expect(adaptThinking(one, makeContext())).toBe(one);
  });

  it("drops the edit that clears thinking if thinking is off", () => {
    const clearing = { type: "clear_thinking_20251015", keep: "all" };
    const other = { type: "clear_tool_uses_20250919" };
    const off = (edits: JsonObject[]) =>
      makeRequestOf(undefined, { reasoning: { mode: "off" }, extra: { a: 1, context_management: { edits } } });
    expect(adaptThinking(off([clearing, other]), makeContext()).extra).toEqual({
      a: 1,
      context_management: { edits: [other] },
    });
    expect(adaptThinking(off([clearing]), makeContext()).extra).toEqual({ a: 1 });
    const kept = off([other]);
    expect(adaptThinking(kept, makeContext())).toBe(kept);
  });

  it("returns the identical request if thinking is off", () => {
    const request = makeRequestOf(undefined, {
      reasoning: { mode: "off" },
      sampling: { temperature: 0.2 },
      toolChoice: { kind: "required" },
    });
    expect(adaptThinking(request, makeContext())).toBe(request);
  });
});
