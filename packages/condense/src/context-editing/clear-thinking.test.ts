import type { ClearThinking, Message } from "@longhaul/conversation";
import {
  makeAssistant,
  makeRedactedThinking,
  makeThinking,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { makeTestView } from "../testing/context.ts";
import { clearThinkingPass, turnsToClear } from "./clear-thinking.ts";

const keep = (keepTurns: number | "all"): ClearThinking => ({ kind: "clear-thinking", keepTurns });

/** Four turns; the second is an agent's loop that thinks twice, the third does not think. */
const MESSAGES: readonly Message[] = [
  makeUser("One?"),
  makeAssistant([makeThinking("a"), "One."]),
  makeUser("Two?"),
  makeAssistant([makeThinking("b"), makeToolCall("c1")]),
  makeUser(makeToolResult("c1")),
  makeAssistant([makeRedactedThinking(), "Two."]),
  makeUser("Three?"),
  makeAssistant("Three."),
  makeUser("Four?"),
  makeAssistant([makeThinking("d"), "Four."]),
];

describe("turnsToClear", () => {
  it.each<[number | "all", { from: number; to: number }[]]>([
    ["all", []],
    [4, []],
    [3, []],
    [2, [{ from: 0, to: 2 }]],
    [
      1,
      [
        { from: 0, to: 2 },
        { from: 2, to: 6 },
      ],
    ],
  ])("keeps the thinking of the latest turns that have any: %s", (keepTurns, expected) => {
    expect(turnsToClear(MESSAGES, keep(keepTurns))).toEqual(expected);
  });
});

describe("clearThinkingPass", () => {
  const plan = (messages: readonly Message[], keepTurns: number | "all") =>
    clearThinkingPass(keep(keepTurns)).plan(makeTestView({ system: [], tools: [], messages }, 1_000));

  it("removes every thought of the turns before, whole loops included", () => {
    expect(plan(MESSAGES, 1)).toEqual([
      { kind: "remove", at: { message: 1, block: 0, path: [] }, reason: "thinking" },
      { kind: "remove", at: { message: 3, block: 0, path: [] }, reason: "thinking" },
      { kind: "remove", at: { message: 5, block: 0, path: [] }, reason: "thinking" },
    ]);
  });

  it("drops a message that is nothing but a thought", () => {
    const messages = [makeUser("a"), makeAssistant(makeThinking()), makeUser("b"), makeAssistant(makeThinking())];
    expect(plan(messages, 1)).toEqual([{ kind: "replace", from: 1, to: 2, with: [], reason: "thinking" }]);
  });

  it("leaves it where there is nothing to clear", () => {
    expect(plan(MESSAGES, "all")).toEqual([]);
    expect(plan(MESSAGES.slice(6), 1)).toEqual([]);
  });
});
