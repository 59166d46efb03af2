import type { ClearThinking, ClearToolUses, Conversation, JsonValue, Message } from "@longhaul/conversation/advanced";
import {
  makeAgentLoop,
  makeAssistant,
  makeConversation,
  makeImage,
  makeRedactedThinking,
  makeText,
  makeThinking,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { makeCounter, makeTestView } from "../testing/context.ts";
import { CLEARED, clearThinkingPass, clearToolUsesPass, isTriggered, turnsToClear, usesToClear } from "./clear.ts";

const counter = makeCounter();
const LONG = "line of the file; ".repeat(40);

const makeEdit = (fields: Partial<ClearToolUses> = {}): ClearToolUses => ({
  kind: "clear-tool-uses",
  trigger: { unit: "tool-uses", over: 1 },
  keepToolUses: 3,
  clearAtLeastTokens: 0,
  excludeTools: [],
  clearInputs: false,
  ...fields,
});

const cleared = (conversation: Conversation, fields: Partial<ClearToolUses> = {}) =>
  usesToClear(conversation.messages, makeEdit(fields), counter).map(({ pair }) => pair.callId);

const use = (name: string, input: JsonValue, result: string) =>
  makeConversation([
    makeUser("Go."),
    makeAssistant(makeToolCall("c0", { name, input })),
    makeUser(makeToolResult("c0", result)),
  ]);

describe("isTriggered", () => {
  const loop = makeAgentLoop(5);
  const tokens = counter.countConversation(loop);

  it.each<[string, ClearToolUses["trigger"], boolean]>([
    ["tokens are exceeded", { unit: "tokens", over: tokens - 1 }, true],
    ["tokens are reached", { unit: "tokens", over: tokens }, false],
    ["uses are exceeded", { unit: "tool-uses", over: 4 }, true],
    ["uses are reached", { unit: "tool-uses", over: 5 }, false],
  ])("detects whether %s", (_, trigger, expected) => {
    expect(isTriggered(makeEdit({ trigger }), loop, counter)).toBe(expected);
  });
});

describe("usesToClear", () => {
  it.each<[number, string[]]>([
    [9, []],
    [5, []],
    [3, ["call_0", "call_1"]],
    [0, ["call_0", "call_1", "call_2", "call_3", "call_4"]],
  ])("keeps the latest %i", (keepToolUses, expected) => {
    expect(cleared(makeAgentLoop(5), { keepToolUses })).toEqual(expected);
  });

  it("never clears an excluded tool, but counts its uses as kept", () => {
    const messages = ["memory", "read", "memory", "read", "memory"].flatMap((name, index) => [
      makeAssistant(makeToolCall(`c${index}`, { name })),
      makeUser(makeToolResult(`c${index}`, LONG)),
    ]);
    const conversation = makeConversation([makeUser("Go."), ...messages]);
    expect(cleared(conversation, { keepToolUses: 0, excludeTools: ["memory"] })).toEqual(["c1", "c3"]);
    expect(cleared(conversation, { keepToolUses: 2, excludeTools: ["memory"] })).toEqual(["c1"]);
  });

  it("skips results that would not become shorter, empty ones, and open calls", () => {
    expect(cleared(use("read", {}, "ok"), { keepToolUses: 0 })).toEqual([]);
    expect(cleared(use("read", {}, CLEARED), { keepToolUses: 0 })).toEqual([]);
    const silent = makeConversation([makeAssistant(makeToolCall("c0")), makeUser(makeToolResult("c0", []))]);
    expect(cleared(silent, { keepToolUses: 0 })).toEqual([]);
    expect(
      cleared(makeConversation([makeAssistant(makeToolCall("c0"))]), { keepToolUses: 0, clearInputs: true }),
    ).toEqual([]);
  });
});

describe("clearToolUsesPass", () => {
  const plan = (conversation: Conversation, fields: Partial<ClearToolUses>) =>
    clearToolUsesPass(makeEdit({ keepToolUses: 0, ...fields })).plan(makeTestView(conversation, 1_000));
  const result = { kind: "remove", at: { message: 2, block: 0, path: [0] }, left: CLEARED, reason: "suppress" };
  const input = { kind: "input", at: { message: 1, block: 0, path: [] }, input: {}, reason: "suppress" };

  it.each<[string, ClearToolUses["clearInputs"], object[]]>([
    ["the result alone", false, [result]],
    ["the input too", true, [result, input]],
    ["the input of a tool that is named", ["bash", "read"], [result, input]],
    ["not the input of a tool that is not named", ["bash"], [result]],
  ])("clears %s", (_, clearInputs, expected) => {
    expect(plan(use("read", { path: "src/main.ts" }, LONG), { clearInputs })).toEqual(expected);
  });

  it("clears an input even if its result is short", () => {
    expect(plan(use("write", { content: LONG }, "ok"), { clearInputs: true })).toEqual([input]);
    expect(plan(use("list", {}, "ok"), { clearInputs: true })).toEqual([]);
  });

  it("keeps free-text input a text", () => {
    const splices = [{ from: 0, to: LONG.length, text: CLEARED }];
    expect(plan(use("patch", LONG, "ok"), { clearInputs: true })).toEqual([
      { kind: "splice", at: { message: 1, block: 0, path: [] }, splices, reason: "suppress" },
    ]);
    expect(plan(use("patch", "x", "ok"), { clearInputs: true })).toEqual([]);
  });

  it("clears every entry of a result", () => {
    const content = [makeText(LONG), makeImage()];
    const conversation = makeConversation([
      makeUser("Go."),
      makeAssistant(makeToolCall("c0")),
      makeUser(makeToolResult("c0", content)),
    ]);
    expect(plan(conversation, {})).toEqual([result, { ...result, at: { message: 2, block: 0, path: [1] } }]);
  });

  it("objects if less would be cleared than the client requires", () => {
    const before = makeTestView(use("read", {}, LONG), 1_000);
    const after = use("read", {}, CLEARED);
    const gained = before.tokens - counter.countConversation(after);
    const objections = (clearAtLeastTokens: number) =>
      clearToolUsesPass(makeEdit({ clearAtLeastTokens })).objections?.(before, after);
    expect(objections(gained)).toEqual([]);
    expect(objections(gained + 1)).toEqual([`it would clear ${gained} tokens, less than the required ${gained + 1}`]);
  });

  it("runs only when triggered", () => {
    const view = makeTestView(use("read", {}, LONG), 1_000);
    expect(clearToolUsesPass(makeEdit({ trigger: { unit: "tool-uses", over: 1 } })).applies?.(view)).toBe(false);
    expect(clearToolUsesPass(makeEdit({ trigger: { unit: "tokens", over: 9 } })).applies?.(view)).toBe(true);
  });
});

const keep = (keepTurns: number | "all"): ClearThinking => ({ kind: "clear-thinking", keepTurns });

/** Four turns; the second is an agent loop that thinks twice, the third has no thinking. */
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
  ])("keeps the thinking of the latest turns with thinking: %s", (keepTurns, expected) => {
    expect(turnsToClear(MESSAGES, keep(keepTurns))).toEqual(expected);
  });
});

describe("clearThinkingPass", () => {
  const plan = (messages: readonly Message[], keepTurns: number | "all") =>
    clearThinkingPass(keep(keepTurns)).plan(makeTestView({ system: [], tools: [], messages }, 1_000));

  it("removes the thinking of earlier turns, including whole loops", () => {
    expect(plan(MESSAGES, 1)).toEqual([
      { kind: "remove", at: { message: 1, block: 0, path: [] }, reason: "thinking" },
      { kind: "remove", at: { message: 3, block: 0, path: [] }, reason: "thinking" },
      { kind: "remove", at: { message: 5, block: 0, path: [] }, reason: "thinking" },
    ]);
  });

  it("drops a message with only thinking", () => {
    const messages = [makeUser("a"), makeAssistant(makeThinking()), makeUser("b"), makeAssistant(makeThinking())];
    expect(plan(messages, 1)).toEqual([{ kind: "replace", from: 1, to: 2, with: [], reason: "thinking" }]);
  });

  it("plans nothing if there is nothing to clear", () => {
    expect(plan(MESSAGES, "all")).toEqual([]);
    expect(plan(MESSAGES.slice(6), 1)).toEqual([]);
  });
});
