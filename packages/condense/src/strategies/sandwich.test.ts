import { makeAgentLoop, makeAssistant, makeConversation, makeSystem, makeUser } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { condenseInSteps } from "../condense-in-steps.ts";
import { finish, makePlan, shortAnswer } from "../testing/context.ts";
import { describePage } from "../testing/describe-page.ts";
import { describeStrategy } from "../testing/describe-strategy.ts";
import { sandwich } from "./sandwich.ts";

describeStrategy({
  strategy: sandwich,
  configs: fc.record(
    {
      preserveTop: fc.nat({ max: 6 }),
      preserveBottom: fc.nat({ max: 6 }),
      userShare: fc.constantFrom(0, 0.2, 1),
    },
    { requiredKeys: [] },
  ),
});

describePage({ strategy: sandwich, config: { preserveTop: 3, preserveBottom: 3 }, budgetTokens: 700 });

const LONG = "What was said here takes some room. ".repeat(10);
const chat = (count: number) =>
  makeConversation(
    Array.from({ length: count }, (_, index) =>
      index % 2 === 0 ? makeUser(`${index} ${LONG}`) : makeAssistant(`${index} ${LONG}`),
    ),
  );

/** The user's messages are summarized like all others. */
const ALL = { userShare: 0 };

describe("sandwich", () => {
  it("keeps 5 messages at the top and 5 at the bottom, with one summary between them as a system message", () => {
    const conversation = chat(30);
    const { result, asks } = finish(condenseInSteps(conversation, makePlan(sandwich, 2_000, ALL)), shortAnswer);
    expect(asks.map(({ range }) => range)).toEqual([{ from: 5, to: 25 }]);
    expect(result.conversation.messages).toEqual([
      ...conversation.messages.slice(0, 5),
      makeSystem("[Earlier conversation summary: A summary of 20 messages.]"),
      ...conversation.messages.slice(25),
    ]);
  });

  it("keeps the user's messages in the middle verbatim, before the summary", () => {
    const messages = chat(30).messages.map((message, index) =>
      index % 2 === 0 ? makeUser(`Mind ${index}.`) : message,
    );
    const { result, asks } = finish(
      condenseInSteps(makeConversation(messages), makePlan(sandwich, 2_000)),
      shortAnswer,
    );
    expect(asks).toMatchObject([{ range: { from: 5, to: 25 }, kept: [1, 3, 5, 7, 9, 11, 13, 15, 17, 19] }]);
    expect(result.conversation.messages).toEqual([
      ...messages.slice(0, 5),
      ...messages.slice(5, 24).filter(({ role }) => role === "user"),
      makeSystem("[Earlier conversation summary: A summary of 20 messages.]"),
      ...messages.slice(24),
    ]);
  });

  it("trims the answer", () => {
    const { result } = finish(condenseInSteps(chat(30), makePlan(sandwich, 2_000, ALL)), () => ({
      kind: "text",
      text: "\n so far \n",
    }));
    expect(result.conversation.messages[5]).toEqual(makeSystem("[Earlier conversation summary: so far]"));
  });

  it("has a default threshold of 70% of the window", () => {
    expect(sandwich.thresholdPercent).toBe(70);
  });

  it("does nothing with no more messages than it keeps", () => {
    const { asks } = finish(condenseInSteps(chat(10), makePlan(sandwich, 500)), shortAnswer);
    expect(asks).toEqual([]);
  });

  it("uses its own prompt or the configured one, and passes the profile on", () => {
    const ask = (config: object) =>
      finish(condenseInSteps(chat(30), makePlan(sandwich, 2_000, { ...ALL, ...config })), shortAnswer).asks[0];
    expect(ask({})?.instructions).toMatch(/^Summarize this conversation excerpt concisely\. Preserve:\n- Key facts/);
    expect(ask({ prompt: "Names only.", profile: "cheap" })).toMatchObject({
      instructions: expect.stringMatching(/^Names only\./),
      profile: "cheap",
    });
  });

  it("updates the summary of an earlier turn with newer messages", () => {
    const first = finish(condenseInSteps(chat(30), makePlan(sandwich, 2_000, ALL)), shortAnswer).result.conversation
      .messages;
    const later = makeConversation([...first, ...chat(12).messages]);
    const { asks, result } = finish(condenseInSteps(later, makePlan(sandwich, 2_000, ALL)), shortAnswer);
    expect(asks).toMatchObject([{ previous: "A summary of 20 messages.", messages: later.messages.slice(6, 18) }]);
    expect(result.conversation.messages).toHaveLength(11);
  });

  it("keeps the latest user message in the middle of a long loop, with a summary on either side", () => {
    const loop = makeAgentLoop(30, 200);
    const conversation = makeConversation([...chat(12).messages, ...loop.messages]);
    const { result } = finish(condenseInSteps(conversation, makePlan(sandwich, 2_000, ALL)), shortAnswer);
    expect(result.conversation.messages.slice(5, 8)).toEqual([
      makeSystem("[Earlier conversation summary: A summary of 7 messages.]"),
      loop.messages[0],
      makeSystem("[Earlier conversation summary: A summary of 56 messages.]"),
    ]);
  });
});
