import { type Conversation, toolPairs } from "@longhaul/conversation";
import {
  makeAgentLoop,
  makeAssistant,
  makeConversation,
  makeText,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { condenseInSteps } from "../condense-in-steps.ts";
import { makeView } from "../contract/view.ts";
import { openDraft } from "../edits/draft.ts";
import { finish, makeContext, makePlan, shortAnswer } from "../testing/context.ts";
import { describePage } from "../testing/describe-page.ts";
import { describeStrategy } from "../testing/describe-strategy.ts";
import { keepLastPass, slidingWindow } from "./sliding-window.ts";

describeStrategy({
  strategy: slidingWindow,
  configs: fc.record({ keepLast: fc.nat({ max: 8 }) }, { requiredKeys: [] }),
});

describePage({ strategy: slidingWindow, config: { keepLast: 8 }, budgetTokens: 700 });

const NOTE = (messages: number) =>
  `[Note from Longhaul, not from the user or a tool: ${messages} older messages were left out to fit the context window. Dots (...) and square brackets mark the places. Read files or run commands again if needed.]`;
const LONG = "What was said here takes some room. ".repeat(10);
const chat = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    index % 2 === 0 ? makeUser(`${index} ${LONG}`) : makeAssistant(`${index} ${LONG}`),
  );
const run = (conversation: Conversation, budgetTokens: number, config?: object) =>
  finish(condenseInSteps(conversation, makePlan(slidingWindow, budgetTokens, config)), shortAnswer).result;

describe("sliding-window", () => {
  it("keeps the recent messages that fit the target", () => {
    const messages = chat(60);
    const after = run(makeConversation(messages), 2_000);
    expect(after.report.tokensAfter).toBeLessThanOrEqual(1_500);
    expect(after.conversation.messages.slice(-6)).toEqual(messages.slice(-6));
    expect(after.conversation.messages).not.toContain(messages[1]);
  });

  it("keeps at most keepLast messages, and counts the dropped ones", () => {
    const messages = chat(30);
    const [first, ...rest] = run(makeConversation(messages), 100_000, { keepLast: 20 }).conversation.messages;
    expect(rest).toEqual(messages.slice(11));
    expect(first?.blocks).toEqual([
      ...(messages[10]?.blocks ?? []),
      makeText(`${NOTE(10)}\n[10 messages left out above, 5 of them from the user]`),
    ]);
  });

  it("keeps the latest user message even if it is older than the last messages", () => {
    const loop = makeAgentLoop(30, 100);
    const after = run(makeConversation([...chat(10), ...loop.messages]), 100_000, { keepLast: 5 }).conversation
      .messages;
    const [latest, call, result, ...rest] = after;
    expect([latest, call, ...rest]).toEqual([
      loop.messages[0],
      ...loop.messages.slice(-5, -4),
      ...loop.messages.slice(-3),
    ]);
    expect(JSON.stringify(result)).toContain("[56 messages left out above: read src/file-0.ts, src/file-1.ts, ");
    expect(JSON.stringify(result)).toContain(JSON.stringify(NOTE(66)).slice(1, -2));
  });

  it("leaves a conversation within both limits unchanged", () => {
    const conversation = makeConversation(chat(10));
    expect(run(conversation, 100_000, { keepLast: 10 }).conversation).toBe(conversation);
  });

  it("keeps all tool pairs if no number is set", () => {
    const loop = makeAgentLoop(30, 2_000);
    const after = run(loop, 6_000);
    expect(after.fits).toBe(true);
    expect(toolPairs(after.conversation.messages)).toEqual(toolPairs(loop.messages));
  });
});

const WORDS = "some words ".repeat(30);
const CHAT = makeConversation(
  Array.from({ length: 9 }, (_, index) => (index % 2 === 0 ? makeUser(WORDS) : makeAssistant(WORDS))),
);
const ranges = (edits: readonly object[]) =>
  edits.map((edit) => ("from" in edit && "to" in edit ? [edit.from, edit.to] : []));

const makeRecentView = (conversation: Conversation, budgetTokens: number) =>
  makeView(openDraft(conversation), { ...makeContext(budgetTokens), dropsTask: true });

describe("keepLastPass", () => {
  it("drops all but the last messages", () => {
    expect(ranges(keepLastPass(4).plan(makeRecentView(CHAT, 1_000)))).toEqual([[0, 6]]);
  });

  it("leaves a short conversation unchanged", () => {
    expect(keepLastPass(9).plan(makeRecentView(CHAT, 1_000))).toEqual([]);
  });

  it("drops a pair whole rather than keep too many messages, and keeps the latest user message", () => {
    const view = makeRecentView(makeAgentLoop(10, 400), 1_000);
    expect(ranges(keepLastPass(4).plan(view))).toEqual([[1, 19]]);
  });

  it("keeps an open pair whole if nothing else is left", () => {
    const messages = [...CHAT.messages, makeAssistant(makeToolCall("a")), makeUser(makeToolResult("a", WORDS))];
    expect(ranges(keepLastPass(1).plan(makeRecentView(makeConversation(messages), 1_000)))).toEqual([[0, 8]]);
  });
});
