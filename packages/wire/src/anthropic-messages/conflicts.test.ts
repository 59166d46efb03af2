import type { Block, JsonObject } from "@longhaul/conversation";
import {
  makeAssistant,
  makeConversation,
  makeText,
  makeThinking,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { makeFitting, makeRequestOf } from "../testing/make-fitting.ts";
import { settleConflicts } from "./conflicts.ts";

const BUDGET = { mode: "budget" as const, budgetTokens: 2_000 };

describe("settleConflicts", () => {
  it("gives up thinking for a forced tool call", () => {
    const fitting = makeFitting();
    const request = makeRequestOf(undefined, { reasoning: { mode: "adaptive" }, toolChoice: { kind: "required" } });
    expect(settleConflicts(request, fitting)).not.toHaveProperty("reasoning");
    expect(fitting.warnings()).toMatchObject([{ feature: "reasoning", action: "dropped" }]);
  });

  it("gives up a budget in a tool loop that began without thinking, and only there", () => {
    const loop = (first: readonly ReturnType<typeof makeThinking>[]) =>
      makeRequestOf(
        makeConversation([
          makeUser("Go."),
          makeAssistant([...first, makeToolCall("a")]),
          makeUser(makeToolResult("a")),
        ]),
        { reasoning: BUDGET },
      );
    expect(settleConflicts(loop([]), makeFitting())).not.toHaveProperty("reasoning");
    expect(settleConflicts(loop([makeThinking()]), makeFitting()).reasoning).toEqual(BUDGET);
    const adaptive = { ...loop([]), reasoning: { mode: "adaptive" as const } };
    expect(settleConflicts(adaptive, makeFitting())).toBe(adaptive);
    const over = makeRequestOf(
      makeConversation([
        makeAssistant([makeText("x"), makeToolCall("a")]),
        makeUser(makeToolResult("a")),
        makeUser("Next."),
      ]),
      { reasoning: BUDGET },
    );
    expect(settleConflicts(over, makeFitting())).toBe(over);
  });

  it("looks for a loop's first thinking behind a summary", () => {
    const summary: Block = { type: "compaction", text: "x", vendor: "anthropic" };
    const loop = (blocks: readonly Block[]) =>
      makeRequestOf(makeConversation([makeAssistant([summary, ...blocks]), makeUser(makeToolResult("a"))]), {
        reasoning: BUDGET,
      });
    expect(settleConflicts(loop([makeThinking(), makeToolCall("a")]), makeFitting()).reasoning).toEqual(BUDGET);
    expect(settleConflicts(loop([makeToolCall("a")]), makeFitting())).not.toHaveProperty("reasoning");
  });

  it("drops sampling that thinking excludes", () => {
    const fitting = makeFitting();
    const sampling = { temperature: 0.2, topP: 0.9, topK: 5, stopSequences: ["x"] };
    const request = makeRequestOf(undefined, { reasoning: BUDGET, sampling });
    expect(settleConflicts(request, fitting).sampling).toEqual({ stopSequences: ["x"] });
    expect(fitting.warnings().map(({ feature }) => feature)).toEqual([
      "sampling.temperature",
      "sampling.topP",
      "sampling.topK",
    ]);
  });

  it("drops the temperature beside thinking, but not beside a client's own effort", () => {
    const fitting = makeFitting();
    const request = makeRequestOf(undefined, { reasoning: BUDGET, sampling: { temperature: 0.2, topP: 0.95 } });
    expect(settleConflicts(request, fitting).sampling).toEqual({ topP: 0.95 });
    const effort = makeRequestOf(undefined, {
      reasoning: { mode: "effort", effort: "high" },
      sampling: { temperature: 0.2 },
    });
    expect(settleConflicts(effort, makeFitting({ isNative: true }))).toBe(effort);
    expect(settleConflicts(effort, makeFitting()).sampling).toEqual({});
    const one = makeRequestOf(undefined, { reasoning: BUDGET, sampling: { temperature: 1 } });
    expect(settleConflicts(one, makeFitting())).toBe(one);
  });

  it("clears no thinking where thinking is off", () => {
    const clearing = { type: "clear_thinking_20251015", keep: "all" };
    const other = { type: "clear_tool_uses_20250919" };
    const off = (edits: JsonObject[]) =>
      makeRequestOf(undefined, { reasoning: { mode: "off" }, extra: { a: 1, context_management: { edits } } });
    expect(settleConflicts(off([clearing, other]), makeFitting()).extra).toEqual({
      a: 1,
      context_management: { edits: [other] },
    });
    expect(settleConflicts(off([clearing]), makeFitting()).extra).toEqual({ a: 1 });
    const kept = off([other]);
    expect(settleConflicts(kept, makeFitting())).toBe(kept);
  });

  it("has nothing to settle where thinking is off", () => {
    const request = makeRequestOf(undefined, {
      reasoning: { mode: "off" },
      sampling: { temperature: 0.2 },
      toolChoice: { kind: "required" },
    });
    expect(settleConflicts(request, makeFitting())).toBe(request);
  });
});
