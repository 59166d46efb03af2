import type { Message } from "@longhaul/conversation";
import {
  makeAssistant,
  makeCompaction,
  makeConversation,
  makeImage,
  makeSystem,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { makeTestView } from "../testing/context.ts";
import { scopeOf } from "./scope.ts";

const SHARES = { tail: 0.3, newest: 0.4, user: 0.25 };

function scope(messages: readonly Message[], budgetTokens: number, shares = SHARES) {
  const view = makeTestView(makeConversation(messages), budgetTokens);
  const found = scopeOf(view, shares, budgetTokens);
  const verbatim = view
    .contents()
    .contents.filter((content) => content.at.message < found.tailFrom && found.isVerbatim(content))
    .map(({ at }) => at.message);
  return { ...found, verbatim, keptSteps: found.steps.filter(found.isKept) };
}

const step = (id: string, text: string) => [makeAssistant(makeToolCall(id)), makeUser(makeToolResult(id, text))];
const long = "some words that take room ".repeat(40);

describe("scopeOf", () => {
  it("keeps the latest messages within their share, in whole steps", () => {
    const messages = [makeUser("go"), ...step("a", long), ...step("b", "short"), ...step("c", "short")];
    expect(scope(messages, 200).tailFrom).toBe(3);
    expect(scope(messages, 60).tailFrom).toBe(5);
  });

  it("gives the newest step more than the tail's share", () => {
    const messages = [makeUser("go"), ...step("a", long), ...step("b", long)];
    expect(scope(messages, 900).tailFrom).toBe(3);
    expect(scope(messages, 900, { ...SHARES, newest: 0.2 }).tailFrom).toBe(5);
  });

  it("keeps the newest step even if it is too large to stay verbatim", () => {
    const newest = [makeAssistant(["I look again.", makeToolCall("b")]), makeUser(makeToolResult("b", long))];
    const { keptSteps, verbatim } = scope([makeUser("go"), ...step("a", long), ...newest], 60);
    expect(keptSteps).toEqual([
      { from: 0, to: 1 },
      { from: 3, to: 5 },
    ]);
    expect(verbatim).toEqual([0, 3]);
  });

  it("cuts long instructions that the client sends again", () => {
    const instructions = `# Rules for this repository\n${long}`;
    const messages = [
      makeUser("go"),
      makeUser(instructions),
      ...step("a", long),
      makeUser(instructions),
      makeUser("?"),
    ];
    expect(scope(messages, 10_000, { ...SHARES, tail: 0, newest: 0, user: 1 }).verbatim).toEqual([0, 1, 5]);
  });

  it("cuts an objection that the client repeats, but not a short text that the user repeats", () => {
    const objection = `Please always provide exactly one action.\n${"Format it as shown in the example. ".repeat(6)}`;
    const messages = [objection, objection, "continue", "continue", "?"].flatMap((text, index) => [
      makeUser(text),
      ...step(`c${index}`, long),
    ]);
    const { verbatim } = scope([makeUser("go"), ...messages], 10_000, { ...SHARES, tail: 0, newest: 0, user: 1 });
    expect(verbatim).toEqual([0, 1, 7, 10, 13]);
  });

  it("splits the rest at every legal cut", () => {
    const messages = [makeUser("go"), ...step("a", long), ...step("b", long), makeUser("and now?")];
    expect(scope(messages, 100).steps).toEqual([
      { from: 0, to: 1 },
      { from: 1, to: 3 },
      { from: 3, to: 5 },
    ]);
  });

  it("keeps the user's text, instructions and compactions", () => {
    const messages = [
      makeUser("the task"),
      makeSystem("be brief"),
      makeAssistant([makeCompaction("so far"), long]),
      ...step("a", long),
      makeUser("and now?"),
    ];
    const found = scope(messages, 100);
    expect(found.keptSteps.map(({ from }) => from)).toEqual([0, 1, 2]);
    expect(found.verbatim).toEqual([0, 1]);
  });

  it("gives up the longest user messages first", () => {
    const messages = [
      makeUser("task"),
      makeAssistant("ok"),
      makeUser(long),
      makeAssistant("ok"),
      makeUser("short request"),
      makeAssistant(long),
      makeUser("now?"),
    ];
    expect(scope(messages, 200).verbatim).toEqual([0, 4]);
    expect(scope(messages, 4_000, { ...SHARES, tail: 0, newest: 0 }).verbatim).toEqual([0, 2, 4, 6]);
  });

  it("keeps the first user message verbatim unless it takes more than half of the budget", () => {
    const messages = [makeUser("t".repeat(4_000)), makeAssistant("ok"), makeUser("now?")];
    const shares = { tail: 0, newest: 0, user: 0 };
    expect(scope(messages, 4_000, shares).verbatim).toContain(0);
    expect(scope(messages, 1_500, shares).verbatim).not.toContain(0);
  });

  it("drops images in results, and the user's only if there is no room", () => {
    const messages = [
      makeUser("task"),
      makeAssistant("ok"),
      makeUser(["see this", makeImage()]),
      makeAssistant(makeToolCall("p")),
      makeUser(makeToolResult("p", [makeImage()])),
      makeAssistant(long),
      makeUser("now?"),
    ];
    const dropped = (budgetTokens: number) => {
      const { steps, mediaToDrop } = scope(messages, budgetTokens, { ...SHARES, tail: 0, newest: 0 });
      return steps.flatMap(mediaToDrop).map(({ at }) => at.message);
    };
    expect(dropped(4_000)).toEqual([4]);
    expect(dropped(200)).toEqual([2, 4]);
  });
});
