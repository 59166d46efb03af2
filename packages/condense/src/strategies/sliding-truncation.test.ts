import { type Conversation, toolPairs } from "@longhaul/conversation";
import { makeAgentLoop, makeAssistant, makeConversation, makeUser } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CondensingPlan, condenseInSteps } from "../condense-in-steps.ts";
import { finish, makeContext, makePlan, shortAnswer } from "../testing/context.ts";
import { describePage } from "../testing/describe-page.ts";
import { describeStrategy } from "../testing/describe-strategy.ts";
import { native } from "./native.ts";
import { slidingTruncation } from "./sliding-truncation.ts";

describeStrategy({
  strategy: slidingTruncation,
  configs: fc.record({ removeShare: fc.constantFrom(0.1, 0.5, 0.9) }, { requiredKeys: [] }),
});

describePage({ strategy: slidingTruncation, budgetTokens: 700 });

const LONG = "A sentence that takes some room. ".repeat(10);
const chat = (count: number) =>
  makeConversation(
    Array.from({ length: count }, (_, index) =>
      index % 2 === 0 ? makeUser(`${index} ${LONG}`) : makeAssistant(`${index} ${LONG}`),
    ),
  );
/** Returns which messages of a conversation are sent. */
const keptOf = ({ messages }: Conversation, plan: CondensingPlan) => {
  const { result } = finish(condenseInSteps(makeConversation(messages), plan), shortAnswer);
  const texts = JSON.stringify(result.conversation.messages);
  return [...messages.keys()].filter((index) => texts.includes(`"${index} ${LONG}`));
};

describe("sliding-truncation", () => {
  it.each([
    [21, {}, 11],
    [22, {}, 11],
    [23, {}, 11],
    [24, {}, 11],
    [25, {}, 13],
    [21, { removeShare: 0.1 }, 3],
  ])(
    "keeps the first of %i messages and removes the next ones (%o): %i is the first after them",
    (count, config, next) => {
      const kept = keptOf(chat(count), makePlan(slidingTruncation, 100 * count, config));
      expect(kept).toEqual([0, ...[...chat(count).messages.keys()].slice(next)]);
    },
  );

  it("removes an even number of messages, and no half of a tool pair", () => {
    const loop = makeAgentLoop(20, 200);
    const { result } = finish(condenseInSteps(loop, makePlan(slidingTruncation, 2_000)), shortAnswer);
    expect(toolPairs(result.conversation.messages)).toMatchObject({ orphans: [] });
    expect((loop.messages.length - result.conversation.messages.length) % 2).toBe(0);
    expect(result.conversation.messages[0]?.blocks[0]).toEqual(loop.messages[0]?.blocks[0]);
  });

  it("keeps the user's latest message if it is among the older half, and removes an odd number then", () => {
    const { messages } = makeAgentLoop(12, 400);
    const plan = makePlan(slidingTruncation, 1_800);
    const session = makeConversation([...chat(6).messages, makeUser(`6 ${LONG}`), ...messages.slice(1, -1)]);
    expect(session.messages).toHaveLength(31);
    const { result } = finish(condenseInSteps(session, plan), shortAnswer);
    expect(keptOf(session, plan)).toEqual([0, 6]);
    expect(toolPairs(result.conversation.messages)).toMatchObject({ orphans: [] });
    expect(session.messages.length - result.conversation.messages.length).toBe(13);
  });

  it("takes over if native's summary fails", () => {
    const choices: CondensingPlan["choices"] = [{ strategy: native }, { strategy: slidingTruncation }];
    const failing = () => ({ kind: "failed", why: "overloaded" }) as const;
    const { result } = finish(condenseInSteps(chat(31), { ...makeContext(2_400), choices }), failing);
    expect(result.report).toMatchObject({
      strategy: "sliding-truncation",
      fallbacks: [{ strategy: "native", why: "overloaded" }],
    });
    expect(result.conversation.messages.at(-1)).toEqual(chat(31).messages.at(-1));
  });
});
