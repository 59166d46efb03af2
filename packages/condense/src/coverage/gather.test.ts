import {
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { decompose } from "../content/contents.ts";
import { makeTestView } from "../testing/context.ts";
import { framesIn, gatherLines, keptTokens } from "./gather.ts";
import { scopeOf } from "./scope.ts";

const NOTHING_KEPT = { tail: 0, newest: 0, user: 0.25 };

function gather(budgetTokens = 100) {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index} about src/thing-${index}.ts`);
  const conversation = makeConversation([
    makeUser("Look into src/task.ts."),
    makeAssistant(["I read it.", makeToolCall("a", { input: { path: "src/read.ts" } })]),
    makeUser(makeToolResult("a", lines.join("\n"))),
  ]);
  const view = makeTestView(conversation, budgetTokens);
  return { view, market: gatherLines(view, scopeOf(view, NOTHING_KEPT, budgetTokens)) };
}

describe("gatherLines", () => {
  it("offers the lines of what can be cut, and nothing of what stays as it is", () => {
    const { market } = gather();
    expect(market.supply.texts.map(({ content }) => content.at.message)).toEqual([1, 2]);
    expect(market.supply.size).toBe(41);
  });

  it("counts what stays as it is for covered, and a short argument for what its step says", () => {
    const { market } = gather();
    expect(market.covered.length).toBeGreaterThanOrEqual(1);
    expect(market.groups[1]?.terms.length).toBeGreaterThanOrEqual(1);
  });

  it("takes the lines off what their step costs", () => {
    const { market, view } = gather();
    const [first, second] = market.groups;
    expect(first).toMatchObject({ isKept: true, tokens: view.messageTokens[0] });
    expect(second?.isKept).toBe(false);
    expect(second?.tokens).toBeLessThan(40);
    expect(keptTokens(market.groups)).toBe(view.messageTokens[0]);
  });
});

it("finds the tags and announcements around XML tools, and nothing around plain words", () => {
  const messages = [
    makeUser("<task>\nGo on.\n</task>"),
    makeAssistant("I read.\n<read_file>\n<path>src/a.ts</path>\n</read_file>"),
    makeUser("[read_file for 'src/a.ts'] Result:\nexport {};"),
    makeAssistant("Done."),
  ];
  const frames = framesIn(decompose(messages).contents, messages);
  const said = (message: number) => frames.filter(({ at }) => at.message === message).map(({ text }) => text.trim());
  expect(said(1).join(" ")).toContain("<read_file>");
  expect(said(2).join(" ")).toContain("[read_file for 'src/a.ts'] Result:");
  expect(said(3)).toEqual([]);
  expect(frames.every(({ text, from, to }) => to - from === text.length)).toBe(true);
});
