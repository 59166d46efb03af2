import { textMessage } from "@longhaul/conversation";
import {
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { condenseInSteps } from "../condense-in-steps.ts";
import { findStrategy } from "../registry.ts";
import { finish, makePlan, makeTestView, shortAnswer } from "../testing/context.ts";
import { keptUserMessages } from "./user-messages.ts";

const words = (tokens: number) => "word".repeat(tokens);
const talk = [
  makeUser("task"),
  makeAssistant(words(50)),
  makeUser(words(30)),
  makeAssistant(words(50)),
  makeUser(words(10)),
  makeAssistant(makeToolCall("a", { input: { path: words(40) } })),
  makeUser([makeToolResult("a", words(60)), "Quickly."]),
  makeAssistant("done"),
];
const middle = { from: 1, to: 7 };

describe("keptUserMessages", () => {
  it.each([
    [0, []],
    [0.013, [4]],
    [0.05, [2, 4]],
    [0.2, [2, 4, 6]],
  ])("keeps the shortest messages of the user within a share of %f, with their tool pairs", (share, kept) => {
    expect([...keptUserMessages(makeTestView(makeConversation(talk), 1_000), middle, share)]).toEqual(kept);
  });

  it("takes at most half of the target", () => {
    const view = makeTestView(makeConversation(talk), 100);
    expect([...keptUserMessages(view, middle, 1)]).toEqual([4]);
  });
});

describe.each(["native", "sandwich", "tree-summary"])("%s", (id) => {
  /** A session of an agent: short messages of the user, long results. */
  const session = makeConversation(
    Array.from({ length: 30 }, (_, turn) => [
      makeUser(`Request ${turn}: please also handle the case of the file src/part-${turn}.ts.`),
      makeAssistant(["I look.", makeToolCall(`c${turn}`, { input: { path: `src/part-${turn}.ts` } })]),
      makeUser(makeToolResult(`c${turn}`, words(150))),
      makeAssistant(`Handled case ${turn}.`),
    ]).flat(),
  );

  it("keeps more than 90% of the user's messages verbatim, and marks nothing as left out", () => {
    const plan = makePlan(findStrategy(id), 4_000);
    const { conversation } = finish(condenseInSteps(session, plan), shortAnswer).result;
    const kept = conversation.messages.filter(({ blocks }) => JSON.stringify(blocks).includes("Request "));
    expect(kept.length).toBeGreaterThan(27);
    expect(JSON.stringify(conversation)).not.toContain("left out");
  });

  it("summarizes them like all others if the share is 0", () => {
    const plan = makePlan(findStrategy(id), 4_000, { userShare: 0 });
    const { conversation } = finish(condenseInSteps(session, plan), shortAnswer).result;
    expect(conversation.messages).not.toContainEqual(textMessage("user", expect.stringContaining("Request 10")));
  });
});
