import { toolPairs } from "@longhaul/conversation";
import { makeAgentLoop, makeAssistant, makeConversation, makeSystem, makeUser } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { condenseInSteps } from "../condense-in-steps.ts";
import type { Answer, Ask } from "../edits/edit.ts";
import { finish, makePlan, shortAnswer } from "../testing/context.ts";
import { describePage } from "../testing/describe-page.ts";
import { describeStrategy } from "../testing/describe-strategy.ts";
import { treeSummary } from "./tree-summary.ts";

describeStrategy({
  strategy: treeSummary,
  configs: fc.record(
    {
      chunkSize: fc.integer({ min: 2, max: 5 }),
      levels: fc.integer({ min: 1, max: 3 }),
      preserveTop: fc.nat({ max: 3 }),
      preserveBottom: fc.integer({ min: 1, max: 4 }),
      userShare: fc.constantFrom(0, 0.2, 1),
    },
    { requiredKeys: [] },
  ),
});

describePage({ strategy: treeSummary, config: { chunkSize: 5, preserveBottom: 3 }, budgetTokens: 700 });

const LONG = "What was said here takes some room. ".repeat(10);
const chat = (count: number) =>
  makeConversation(
    Array.from({ length: count }, (_, index) =>
      index % 2 === 0 ? makeUser(`${index} ${LONG}`) : makeAssistant(`${index} ${LONG}`),
    ),
  );
/** The user's messages are summarized like all others. */
const ALL = { userShare: 0 };
const ofMessages = (count: number) => makeSystem(`[Earlier conversation summary: A summary of ${count} messages.]`);

describe("tree-summary", () => {
  it("replaces each chunk with a summary", () => {
    const conversation = chat(46);
    const { result, asks } = finish(
      condenseInSteps(conversation, makePlan(treeSummary, 3_000, { ...ALL, chunkSize: 10 })),
      shortAnswer,
    );
    expect(asks.map(({ range }) => range)).toEqual([
      { from: 1, to: 11 },
      { from: 11, to: 21 },
      { from: 21, to: 31 },
      { from: 31, to: 41 },
    ]);
    expect(result.conversation.messages).toEqual([
      conversation.messages[0],
      ...Array.from({ length: 4 }, () => ofMessages(10)),
      ...conversation.messages.slice(41),
    ]);
  });

  it("joins the summaries level by level until the target is reached", () => {
    const answerAtLength = (ask: Ask): Answer => ({
      kind: "text",
      text: `${ask.messages.length} ${"word ".repeat(60)}`,
    });
    const config = { ...ALL, chunkSize: 3, preserveTop: 1, preserveBottom: 1, levels: 3 };
    const { result, asks } = finish(condenseInSteps(chat(29), makePlan(treeSummary, 400, config)), answerAtLength);
    expect(asks.map(({ messages }) => messages.length)).toEqual([...Array.from({ length: 9 }, () => 3), 3, 3, 3, 3]);
    expect(result.report.passes.filter(({ outcome }) => outcome === "applied").map(({ id }) => id)).toEqual([
      "level-1",
      "level-2",
      "level-3",
    ]);
  });

  it("keeps the user's messages verbatim at every level, beside the summary of its chunk", () => {
    const messages = chat(29).messages.map((message, index) =>
      index % 2 === 0 ? makeUser(`Mind ${index}.`) : message,
    );
    const own = messages.filter(({ role }) => role === "user");
    const config = { chunkSize: 9, preserveTop: 1, preserveBottom: 1 };
    const condense = (budgetTokens: number, answer: (ask: Ask) => Answer) => {
      const plan = makePlan(treeSummary, budgetTokens, { ...config, userShare: 0.3 });
      return finish(condenseInSteps(makeConversation(messages), plan), answer).result.conversation.messages;
    };
    expect(condense(1_000, shortAnswer)).toEqual([
      ...own.slice(0, 5),
      ofMessages(9),
      ...own.slice(5, 9),
      ofMessages(9),
      ...own.slice(9, 14),
      ofMessages(9),
      own.at(-1),
    ]);
    const joined = condense(300, ({ messages: { length } }) => ({
      kind: "text",
      text: `${length} ${"word ".repeat(60)}`,
    }));
    expect(joined.filter(({ role }) => role === "user")).toEqual(own);
    expect(joined.filter(({ role }) => role === "system")).toHaveLength(1);
  });

  it("stops at the level that reaches the target, and at the last allowed level", () => {
    const passes = (config: object, budgetTokens: number) =>
      finish(
        condenseInSteps(chat(29), makePlan(treeSummary, budgetTokens, { ...ALL, ...config })),
        shortAnswer,
      ).result.report.passes.map(({ id }) => id);
    expect(passes({ chunkSize: 3 }, 2_000)).toEqual(["level-1"]);
    expect(passes({ chunkSize: 3, levels: 1 }, 100)).not.toContain("level-2");
  });

  it("does not summarize again what a summary covers", () => {
    const config = { ...ALL, chunkSize: 10, levels: 1 };
    const first = finish(condenseInSteps(chat(46), makePlan(treeSummary, 3_000, config)), shortAnswer).result;
    const later = makeConversation([...first.conversation.messages, ...chat(20).messages]);
    const { asks } = finish(condenseInSteps(later, makePlan(treeSummary, 2_000, config)), shortAnswer);
    expect(asks.map(({ range }) => range)).toEqual([
      { from: 5, to: 15 },
      { from: 15, to: 25 },
    ]);
  });

  it("never splits a tool pair between chunks", () => {
    const { asks } = finish(
      condenseInSteps(makeAgentLoop(30, 200), makePlan(treeSummary, 1_500, { chunkSize: 5 })),
      shortAnswer,
    );
    expect(asks.length).toBeGreaterThan(5);
    for (const { messages } of asks) expect(toolPairs(messages)).toMatchObject({ orphans: [] });
  });
});
